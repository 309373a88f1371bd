"""Calibration error and Brier score equal scikit-learn's pieces."""

import math

import numpy as np
import pytest

from ragstone.stats.reliability import brier_score, expected_calibration_error, reliability_curve

RNG = np.random.default_rng(10)
SCORES = np.round(RNG.random(500), 3)
LABELS = (RNG.random(500) < SCORES**2).astype(int)


def test_brier_equals_scikit_learn() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    assert brier_score(LABELS, SCORES) == pytest.approx(metrics.brier_score_loss(LABELS, SCORES), abs=1e-9)


def test_curve_equals_scikit_learn() -> None:
    calibration = pytest.importorskip("sklearn.calibration")
    rates, means = calibration.calibration_curve(LABELS, SCORES, n_bins=8, strategy="uniform")
    curve = reliability_curve(LABELS, SCORES, bins=8)
    assert [b.rate for b in curve] == pytest.approx(rates.tolist(), abs=1e-9)
    assert [b.score for b in curve] == pytest.approx(means.tolist(), abs=1e-9)
    assert all(b.rate in b.interval for b in curve)
    assert sum(b.n for b in curve) == 500
    gap = sum(b.n * abs(b.rate - b.score) for b in curve) / 500
    assert expected_calibration_error(LABELS, SCORES, bins=8) == pytest.approx(gap, abs=1e-12)


def test_reliability_of_perfect_wrong_and_empty_scores() -> None:
    assert brier_score([1, 0], [1.0, 0.0]) == 0.0
    assert expected_calibration_error([1, 0], [0.0, 1.0]) == 1.0
    assert expected_calibration_error([1, 0], [0.5, 0.5]) == 0.0
    assert math.isnan(expected_calibration_error([], []))
    assert math.isnan(brier_score([], []))
    assert reliability_curve([], []) == []
    with pytest.raises(ValueError, match=r"scores\[0\] is 4, not a probability; rescale"):
        brier_score([1], [4.0])
    with pytest.raises(ValueError, match="bins is 0"):
        reliability_curve([1], [0.5], bins=0)
