from math import isnan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.testing.for_each import for_each

from ragstone.stats import DecisionGain, ErrorCosts, compare_decisions
from ragstone.stats.decision_gain import Merit

TRUTH = np.array([1, 1, 1, 1, 0, 0, 0, 0] * 5)
BEFORE = np.array([1, 1, 0, 0, 1, 1, 0, 0] * 5)  # kappa 0
AFTER = np.array([1, 1, 1, 0, 1, 0, 0, 0] * 5)  # 3 of 4 right on both sides: kappa 0.5


def test_kappa_gain_of_a_worked_example() -> None:
    found = compare_decisions(TRUTH, BEFORE, AFTER)
    assert (found.measure, found.before, found.after, found.changed, found.n) == ("kappa", 0.0, 0.5, 10, 40)
    assert found.difference.value == pytest.approx(0.5)
    assert found.difference.interval.low > 0.1
    assert found.p_value == pytest.approx(2 / 2**10)  # ten cases changed, all for the better
    assert found.proven


def test_cost_gain_of_a_worked_example() -> None:
    found = compare_decisions(TRUTH, BEFORE, AFTER, costs=ErrorCosts(false_pass=1, false_fail=5))
    assert found.before == pytest.approx((10 * 1 + 10 * 5) / 40)
    assert found.after == pytest.approx((5 * 1 + 5 * 5) / 40)
    assert found.difference.value == pytest.approx(found.before - found.after)
    assert found.proven


def test_equal_decisions_have_no_gain() -> None:
    found = compare_decisions(TRUTH, BEFORE, BEFORE)
    assert found.difference.value == 0.0
    assert (found.p_value, found.changed, found.proven) == (1.0, 0, False)


def test_gain_of_four_changed_cases_is_not_proven() -> None:
    after = BEFORE.copy()
    after[[2, 3, 4, 5]] = TRUTH[[2, 3, 4, 5]]
    found = compare_decisions(TRUTH, BEFORE, after)
    assert found.p_value == pytest.approx(2 / 2**4)
    assert not found.proven


def test_gain_without_interval_is_proven_by_p_value() -> None:
    found = compare_decisions(TRUTH, np.ones(40), TRUTH)
    assert found.difference.interval is None
    assert found.proven
    assert not compare_decisions(TRUTH[:4], np.ones(4), TRUTH[:4]).proven


def test_significant_loss_is_not_a_proven_gain() -> None:
    found = compare_decisions(TRUTH, AFTER, BEFORE)
    assert found.p_value <= 0.05
    assert not found.proven


def test_clustered_copies_do_not_prove_a_gain() -> None:
    """Ten changed cases, five copies each of two: as clusters they are two."""
    clusters = [place % 8 for place in range(40)]
    assert compare_decisions(TRUTH, BEFORE, AFTER).proven
    grouped = compare_decisions(TRUTH, BEFORE, AFTER, clusters=clusters)
    assert grouped.p_value == 0.5
    assert not grouped.proven


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=4, max_size=30))
def test_merit_kappa_equals_scikit_learn(pairs: list[tuple[bool, bool]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    truth, decided = (np.array(column) for column in zip(*pairs, strict=True))
    ours = Merit().of(truth, decided)
    if len({*truth, *decided}) == 1:
        assert isnan(ours)
    else:
        assert ours == pytest.approx(metrics.cohen_kappa_score(truth, decided))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 4)), min_size=4, max_size=25))
def test_best_cut_has_the_highest_merit(pairs: list[tuple[bool, int]]) -> None:
    truth, scores = np.array([t for t, _ in pairs]), np.array([s / 4 for _, s in pairs])
    merit = Merit(ErrorCosts(1.0, 3.0))
    best = merit.of(truth, scores >= merit.best_cut(truth, scores))
    assert all(best >= merit.of(truth, scores >= cut) - 1e-12 for cut in np.unique(scores))


@pytest.mark.slow
@for_each("rate", [0.5, 0.8])
def test_random_decisions_are_rarely_proven_a_gain(rate: float) -> None:
    """Decisions before and after that both know nothing: at most 5 % proven (2.5 % is nominal), 400 data sets."""
    draw = np.random.default_rng(1)

    def once(seed: int) -> DecisionGain:
        truth, before = draw.random(80) < rate, draw.random(80) < rate
        after = np.where(draw.random(80) < 0.3, draw.random(80) < rate, before)
        return compare_decisions(truth, before, after, seed=seed, resamples=300)

    assert sum(once(seed).proven for seed in range(400)) <= 0.05 * 400


def test_compare_decisions_rejects_empty_or_fractional_labels() -> None:
    with pytest.raises(ValueError, match="no labelled case"):
        compare_decisions([], [], [])
    with pytest.raises(ValueError, match="neither 0 nor 1"):
        compare_decisions([1, 0.5], [1, 0], [1, 0])
