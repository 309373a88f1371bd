"""Reliability of scores as probabilities: the reliability curve, its error (ECE) and the Brier score."""

from dataclasses import dataclass
from math import nan

import numpy as np

from ragstone.stats._arrays import FloatArray, IntArray, Numbers, labelled_scores
from ragstone.stats.interval import Interval, rate_interval


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Cases whose scores lie close together.

    Attributes:
        n: Number of cases.
        score: Their mean score in [0, 1].
        rate: Share of them that people call right.
        interval: For that share.
    """

    n: int
    score: float
    rate: float
    interval: Interval


def brier_score(labels: Numbers, scores: Numbers) -> float:
    """Return the mean squared distance of scores from labels: 0 is best, 0.25 is always saying 0.5."""
    truth, judged = _checked_arrays(labels, scores)
    return float(np.mean((judged - truth) ** 2)) if judged.size else nan


def expected_calibration_error(labels: Numbers, scores: Numbers, *, bins: int = 10) -> float:
    """Return ECE in [0, 1]: the mean distance of score and rate over bins, weighted by their cases.

    Args:
        labels: 1 where people say yes.
        scores: Probabilities of yes.
        bins: How many, of equal width; Naeini et al. 2015 use 10.

    Raises:
        ValueError: Lengths differ, a label is not 0 or 1, a score is outside [0, 1].
    """
    truth, judged = _checked_arrays(labels, scores)
    if not judged.size:
        return nan
    codes = _bin_codes(judged, bins)
    gaps = np.abs(np.bincount(codes, weights=judged) - np.bincount(codes, weights=truth))
    return float(gaps.sum()) / judged.size


def reliability_curve(labels: Numbers, scores: Numbers, *, bins: int = 10) -> list[ReliabilityBin]:
    """Return the non-empty bins by ascending score, each with the share of yes and its Wilson interval.

    Raises:
        ValueError: As `expected_calibration_error`.
    """
    truth, judged = _checked_arrays(labels, scores)
    codes = _bin_codes(judged, bins)
    curve: list[ReliabilityBin] = []
    for code in np.unique(codes):
        in_bin = codes == code
        n, yes = int(in_bin.sum()), int(truth[in_bin].sum())
        curve.append(ReliabilityBin(n, float(judged[in_bin].mean()), yes / n, rate_interval(yes, n)))
    return curve


def _bin_codes(scores: FloatArray, bins: int) -> IntArray:
    if bins < 1:
        raise ValueError(f"bins is {bins}; give at least 1")
    return np.searchsorted(np.linspace(0.0, 1.0, bins + 1)[1:-1], scores, side="left").astype(np.intp)


def _checked_arrays(labels: Numbers, scores: Numbers) -> tuple[FloatArray, FloatArray]:
    truth, judged = labelled_scores(labels, scores)
    outside = np.flatnonzero((judged < 0.0) | (judged > 1.0))
    if outside.size:
        raise ValueError(
            f"scores[{outside[0]}] is {judged[outside[0]]:g}, not a probability; rescale to [0, 1]"
        )
    return truth, judged
