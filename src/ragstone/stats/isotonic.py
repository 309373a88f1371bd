"""Isotonic calibration: turn a judge's score into a probability by the best curve that never falls.

It assumes only that a higher score is no worse, and needs some hundreds of labels. Source: pool
adjacent violators (Ayer et al. 1955); for classifiers Zadrozny and Elkan 2002.
"""

from dataclasses import dataclass

import numpy as np

from ragstone.stats._arrays import FloatArray, Numbers, finite, labels01
from ragstone.stats._sample import same_length


@dataclass(frozen=True, slots=True)
class Isotonic:
    """A curve through (score, probability) points, straight between them and flat outside.

    Attributes:
        scores: Ascending.
        probabilities: Never descending, each in [0, 1].
    """

    scores: tuple[float, ...]
    probabilities: tuple[float, ...]

    def __call__(self, scores: Numbers) -> FloatArray:
        """Return the probability of yes for each score."""
        return np.interp(finite(scores, "scores"), self.scores, self.probabilities)


def fit_isotonic(labels: Numbers, scores: Numbers) -> Isotonic:
    """Fit the curve to labels (0 or 1) by least squares among all curves that never fall.

    Raises:
        ValueError: Lengths differ, there is no case, a label is not 0 or 1, or a score is not finite.
    """
    if not same_length(labels=labels, scores=scores):
        raise ValueError("there is no labelled case to calibrate on; give at least a few hundred")
    truth, judged = labels01(labels), finite(scores, "scores")
    values, inverse, counts = np.unique(judged, return_inverse=True, return_counts=True)
    rates = np.bincount(inverse, weights=truth) / counts
    fitted = _pool(rates.tolist(), counts.tolist())
    return Isotonic(tuple(values.tolist()), tuple(fitted))


def _pool(rates: list[float], counts: list[int]) -> list[float]:
    """Merge neighbours that fall into their weighted mean until none falls."""
    blocks: list[tuple[float, int, int]] = []  # (sum of weights x rate, weight, points)
    for rate, count in zip(rates, counts, strict=True):
        total, weight, points = rate * count, count, 1
        while blocks and blocks[-1][0] * weight >= total * blocks[-1][1]:
            previous = blocks.pop()
            total, weight, points = total + previous[0], weight + previous[1], points + previous[2]
        blocks.append((total, weight, points))
    return [total / weight for total, weight, points in blocks for _ in range(points)]
