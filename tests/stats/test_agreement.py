"""Agreement: the figures of the single files, each with an interval, beside the human ceiling."""

import numpy as np
import pytest

from ragstone.stats.agreement import agree_on_grades, agree_on_labels
from ragstone.stats.correlation import spearman
from ragstone.stats.ranking import auroc

RNG = np.random.default_rng(12)
TRUTH = RNG.random(120) < 0.6
SCORES = np.clip(0.5 + 0.3 * (TRUTH - 0.5) + RNG.normal(0, 0.2, 120), 0, 1)


def test_agree_on_labels_gives_every_measure_an_interval() -> None:
    found = agree_on_labels(TRUTH, SCORES, threshold=0.6, resamples=200)
    assert found.n == found.confusion.n == 120
    assert found.accuracy.value == pytest.approx(np.mean((SCORES >= 0.6) == TRUTH))
    assert found.auroc.value == pytest.approx(auroc(TRUTH, SCORES))
    for each in (found.accuracy, found.balanced_accuracy, found.kappa, found.auroc, found.brier):
        assert each.value is not None
        assert each.interval is not None
        assert each.value in each.interval
        assert each.interval.width > 0.0
    assert found.ceiling is None
    assert agree_on_labels(TRUTH, SCORES, threshold=0.6, resamples=200) == found


def test_flawless_judge_has_nonzero_interval_width() -> None:
    truth = [1.0, 0.0] * 10
    found = agree_on_labels(truth, truth, resamples=50)
    for each in (found.accuracy, found.balanced_accuracy, found.kappa, found.auroc):
        assert each.value == 1.0
        assert each.interval is not None
        assert 0.4 < each.interval.low < 0.95
        assert each.interval.high == 1.0
    assert found.brier.interval is not None
    assert found.brier.interval.high > 0.1
    assert found.average_precision.interval is None


def test_one_class_leaves_measures_undefined_not_perfect() -> None:
    found = agree_on_labels([1, 1, 1], [0.9, 0.8, 0.7], resamples=50)
    assert found.auroc.value is None
    assert str(found.kappa) == "undefined"
    assert found.accuracy.value == 1.0


def test_judge_as_good_as_annotators_is_within_ceiling_interval() -> None:
    said = [np.where(RNG.random(400) < 0.85, 1, 0) for _ in range(4)]
    truth = RNG.random(400) < 0.5
    votes = np.array([np.where(s == 1, truth, ~truth) for s in said], dtype=float)
    annotators = [[a, b, None if i % 3 == 0 else c] for i, (a, b, c) in enumerate(votes[:3].T.tolist())]
    found = agree_on_labels(truth, votes[3], annotators=annotators, resamples=100)
    assert found.ceiling is not None
    assert (found.ceiling.n, found.ceiling.annotators) == (400, 3)
    assert found.ceiling.human.interval is not None
    assert found.ceiling.judge.value in found.ceiling.human.interval


def test_agree_on_grades_counts_clusters_as_units() -> None:
    grades = RNG.integers(1, 6, 150).astype(float)
    judged = grades + RNG.normal(0, 1, 150)
    raters = [[g, g + 1, g - (i % 2)] for i, g in enumerate(grades.tolist())]
    found = agree_on_grades(
        grades, judged, annotators=raters, clusters=[i // 5 for i in range(150)], resamples=100
    )
    assert found.spearman.value == pytest.approx(spearman(grades, judged))
    assert found.spearman.interval is not None
    assert found.spearman.interval.units == 30
    assert found.ceiling is not None
    assert found.ceiling.human.value is not None
    assert found.ceiling.judge.value is not None
    assert found.ceiling.human.value > found.ceiling.judge.value


def test_empty_or_invalid_labels_are_rejected() -> None:
    with pytest.raises(ValueError, match="there is no labelled case"):
        agree_on_labels([], [])
    with pytest.raises(ValueError, match=r"scores\[0\] is nan"):
        agree_on_grades([1.0], [float("nan")])
    with pytest.raises(ValueError, match="labels has 2, scores has 1"):
        agree_on_labels([1, 0], [0.5])
