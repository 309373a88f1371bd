"""Variance components of nested scores: by hand, unbalanced, and their coverage by simulation."""

import numpy as np
import pytest

from ragstone.stats import variance_components


def test_components_of_a_balanced_design_by_hand() -> None:
    """Mean squares: cases 0.32 (1 df), answers 0.04 (2 df), scores 0.01 (4 df)."""
    scores = [[[0.9, 0.9], [0.6, 0.8]], [[0.5, 0.5], [0.2, 0.4]]]
    found = variance_components(scores)
    assert found is not None
    cases, application, judge = found.components
    assert judge.variance == pytest.approx(0.01)
    assert application.variance == pytest.approx((0.04 - 0.01) / 2)
    assert cases.variance == pytest.approx((0.32 - 0.04) / 4)
    assert found.standard_error() ** 2 == pytest.approx(0.07 / 2 + 0.015 / 4 + 0.01 / 8)
    assert sum(each.share for each in found.components) == pytest.approx(1.0)
    assert all(each.low <= each.variance <= each.high for each in found.components)


def test_one_score_an_answer_does_not_tell_application_and_judge_apart() -> None:
    found = variance_components([[[0.9], [0.7]], [[0.5], [0.3]], [[0.2], []]])
    assert found is not None
    assert [each.source for each in found.components] == ["cases", "application and judge"]
    assert found.components[1].variance == pytest.approx(0.02)
    assert (found.cases, found.scores) == (3, 1.0)
    assert set(found.narrowing()) == {"cases", "answers"}


def test_more_cases_narrow_all_parts_and_more_scores_only_the_last() -> None:
    random = np.random.default_rng(1)
    case, answer = random.normal(size=(40, 1, 1)), random.normal(size=(40, 3, 1))
    found = variance_components((case + answer + random.normal(size=(40, 3, 2))).tolist())
    assert found is not None
    gains = found.narrowing()
    assert gains["cases"] == pytest.approx(1 - 0.5**0.5)
    assert gains["cases"] > gains["answers"] > gains["scores"] > 0


def test_nothing_is_split_without_repeated_answers() -> None:
    assert variance_components([[[0.9, 0.8]], [[0.5, 0.4]]]) is None
    assert variance_components([[[0.9], [0.8]]]) is None
    assert variance_components([]) is None
    steady = variance_components([[[1.0, 1.0], [1.0, 1.0]]] * 3)
    assert steady is not None
    assert [each.variance for each in steady.components] == [0.0, 0.0, 0.0]
    assert set(steady.narrowing().values()) == {0.0}


def test_intervals_cover_for_right_and_wrong_answers_with_missing_ones() -> None:
    """A case is answered right with its own probability, from Beta(4, 1); the judge errs in 5 %; a tenth is missing."""
    random, rounds, hits = np.random.default_rng(3), 200, np.zeros(3)
    truths = (0.81 * 4 / 150, 0.81 * (4 / 5 - 4 / 150 - 16 / 25), 0.05 * 0.95)
    for _ in range(rounds):
        share = random.beta(4, 1, 60)[:, None]
        right = np.where(random.random((60, 4)) < share, 0.95, 0.05)[:, :, None]
        scores = (random.random((60, 4, 2)) < right).astype(float)
        kept = random.random((60, 4)) < 0.9
        nested = [[row.tolist() for row in case[mask]] for case, mask in zip(scores, kept, strict=True)]
        found = variance_components(nested)
        assert found is not None
        hits += [each.low <= true <= each.high for each, true in zip(found.components, truths, strict=True)]
    assert (hits / rounds >= 0.9).all()
