"""The judge's habits: found where they are, and not where they are not."""

import numpy as np
import pytest

from ragstone.stats.judge_card import (
    Choice,
    JudgeCard,
    position_bias,
    rewording,
    score_shift,
    self_consistency,
)

RNG = np.random.default_rng(20)


def test_always_choosing_first_is_position_bias() -> None:
    always: list[Choice] = ["first"] * 30
    found = position_bias(always, always)
    assert (found.consistent, found.first, found.second, found.preference) == (0.0, 30, 0, 1.0)
    assert found.p_value < 1e-6
    assert found.preference_interval.low > 0.7


def test_consistent_choices_have_no_position_bias() -> None:
    choices: list[Choice] = ["first", "second", "tie"] * 10
    swapped: list[Choice] = ["second", "first", "tie"] * 10
    found = position_bias(choices, swapped)
    assert (found.consistent, found.preference, found.p_value) == (1.0, 0.0, 1.0)
    assert found.interval.high == 1.0
    assert found.interval.low < 0.95


def test_one_tie_counts_as_half_preference() -> None:
    found = position_bias(["first", "tie"], ["tie", "tie"])
    assert (found.consistent, found.preference, found.first) == (0.5, 0.25, 0)
    with pytest.raises(ValueError, match=r"swapped\[0\] is 'A'; give 'first'"):
        position_bias(["first"], ["A"])  # pyright: ignore[reportArgumentType]  (what is refused)
    with pytest.raises(ValueError, match="there is no pair"):
        position_bias([], [])


def test_higher_scores_for_padding_are_verbosity_bias() -> None:
    plain = RNG.uniform(0.2, 0.7, 60)
    found = score_shift(plain, plain + RNG.uniform(0.0, 0.2, 60))
    assert found.mean == pytest.approx(0.1, abs=0.03)
    assert found.interval.low > 0.05
    assert found.p_value < 0.001
    assert 0.0 < found.flipped < 0.5
    fair = score_shift(plain, plain)
    assert (fair.mean, fair.size, fair.flipped, fair.p_value) == (0.0, 0.0, 0.0, 1.0)
    assert fair.flipped_interval.high > 0.02


def test_self_consistency_is_pairwise_agreement_of_repeats() -> None:
    found = self_consistency([[0.9, 0.9, 0.9], [0.4, 0.6, 0.6]])
    assert found.agreement == pytest.approx((1 + 1 / 3) / 2)
    assert found.size == pytest.approx((0.4 / 3) / 2)
    with pytest.raises(ValueError, match=r"repeats\[0\] has 1 scores; ask each case at least twice"):
        self_consistency([[0.5]])


def test_rewording_excess_is_measured_beyond_repeat_noise() -> None:
    truth = RNG.random(400)
    first, again, other = (truth + RNG.normal(0, 0.05, 400) for _ in range(3))
    steady = rewording(first, other, again=again)
    assert steady.excess_interval is not None
    assert 0.0 in steady.excess_interval
    moved = rewording(first, other + RNG.choice([-0.3, 0.3], 400), again=again)
    assert moved.excess_interval is not None
    assert moved.excess_interval.low > 0.15
    assert rewording(first, other).excess is None


def test_judge_card_leaves_untested_parts_none() -> None:
    card = JudgeCard("local", consistency=self_consistency([[1.0, 1.0]] * 12))
    assert card.position is None
    assert card.consistency is not None
    assert card.consistency.agreement == 1.0
