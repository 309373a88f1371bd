"""Thresholds are fitted on labels, and promised only what cross-validation found."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.stats.calibrate import fit_threshold
from ragstone.stats.confusion import confusion

RNG = np.random.default_rng(15)


def test_separable_cases_are_cut_in_the_middle() -> None:
    found = fit_threshold([0, 0, 0, 1, 1, 1] * 5, [0.1, 0.2, 0.3, 0.6, 0.8, 0.9] * 5)
    assert found.value == pytest.approx(0.45)
    assert (found.fitted, found.expected.value, found.confusion.accuracy) == (1.0, 1.0, 1.0)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 8)), min_size=8, max_size=40))
def test_no_other_threshold_fits_better(cases: list[tuple[bool, int]]) -> None:
    labels, scores = np.array([a for a, _ in cases]), np.array([float(b) for _, b in cases])
    if min(labels.sum(), (~labels).sum()) < 2:
        return
    for criterion in ("accuracy", "balanced_accuracy"):
        found = fit_threshold(labels, scores, criterion=criterion, folds=2)
        best = max(getattr(confusion(labels, scores >= cut), criterion) for cut in np.unique(scores))
        assert found.fitted == pytest.approx(best)
        assert getattr(confusion(labels, scores >= found.value), criterion) == pytest.approx(found.fitted)


def test_expected_accuracy_is_near_chance_for_random_scores() -> None:
    fitted, expected = [], []
    for _ in range(60):
        found = fit_threshold(RNG.random(40) < 0.5, RNG.random(40))
        fitted.append(found.fitted)
        expected.append(found.expected.value)
    assert np.mean(fitted) > 0.57  # what choosing the luckiest cut looks like
    assert 0.42 < np.mean(expected) < 0.53


def test_clusters_are_not_split_between_fitting_and_testing() -> None:
    labels = [i % 2 for i in range(12) for _ in range(10)]
    scores = [RNG.random() for i in range(12) for _ in range(10)]
    found = fit_threshold(labels, scores, clusters=[i for i in range(12) for _ in range(10)], folds=6)
    assert found.folds == 6
    assert found.confusion.n == 120
    assert found.expected.interval is not None
    assert found.expected.interval.units == 6  # clusters of the rarer class


def test_fit_threshold_with_unbounded_scores_and_rare_class() -> None:
    found = fit_threshold([1, 1, 0, 0, 0, 0, 0, 0], [40, 50, 1, 2, 3, 4, 5, 41], folds=10)
    assert found.folds == 2
    assert 5 < found.value < 50


def test_fit_threshold_rejects_fewer_than_two_of_a_class() -> None:
    with pytest.raises(ValueError, match="1 yes and 3 no: label at least two of each"):
        fit_threshold([1, 0, 0, 0], [0.9, 0.1, 0.2, 0.3])
