"""Permutation test, by the energy distance, of whether two samples of points come from one distribution.

    distance = 2 · mean |x - y| - mean |x - x'| - mean |y - y'|

is 0 where both distributions are equal and above 0 otherwise, for distributions of any shape. Where they are equal, all
divisions of the points into two groups of these sizes are equally likely, so the share of random divisions whose
distance reaches the observed one is a p-value: at most a share p of equal pairs gets one of p or less, for points that
are drawn independently. Source: Székely and Rizzo (2004), "Testing for equal distributions in high dimension",
InterStat 5; p is never 0: Phipson and Smyth (2010).
"""

from typing import TYPE_CHECKING

import numpy as np

from ragstone.stats._arrays import FloatArray

if TYPE_CHECKING:
    from numpy.typing import NDArray

_RESAMPLES = 999
_DIVISIONS_PER_BLOCK = 250
_ROUNDING_TOLERANCE = 1e-9


def energy_test(
    first: "NDArray[np.floating]",
    second: "NDArray[np.floating]",
    *,
    seed: int = 0,
    resamples: int = _RESAMPLES,
) -> tuple[float, float]:
    """Return the energy distance of two samples of points, one row each, and the p-value of one distribution of both.

    Raises:
        ValueError: A sample is empty, or the dimensions differ.
    """
    if first.ndim != 2 or second.ndim != 2 or not len(first) or not len(second):  # noqa: PLR2004  (rows and columns)
        raise ValueError("a sample is empty: give rows of points, at least one in each sample")
    if first.shape[1] != second.shape[1]:
        raise ValueError(f"points have {first.shape[1]} and {second.shape[1]} dimensions; they must be equal")
    points = np.vstack([first, second]).astype(np.float64)
    pair_distances = _pairwise_distances(points)
    groups = np.zeros((resamples + 1, len(points)))
    groups[0, : len(first)] = 1.0
    rng = np.random.default_rng(seed)
    for row in groups[1:]:
        row[rng.permutation(len(points))[: len(first)]] = 1.0
    distances = np.concatenate(
        [
            _energy_distances(pair_distances, groups[start : start + _DIVISIONS_PER_BLOCK])
            for start in range(0, len(groups), _DIVISIONS_PER_BLOCK)
        ]
    )
    reached_count = int(np.sum(distances[1:] >= distances[0] - _ROUNDING_TOLERANCE))
    return max(0.0, float(distances[0])), (reached_count + 1) / (resamples + 1)


def _pairwise_distances(points: FloatArray) -> FloatArray:
    squares = np.sum(points**2, axis=1)
    squared_distances = squares[:, np.newaxis] + squares - 2 * points @ points.T
    np.fill_diagonal(squared_distances, 0.0)
    return np.sqrt(np.maximum(squared_distances, 0.0))


def _energy_distances(pair_distances: FloatArray, groups: FloatArray) -> FloatArray:
    """Return the energy distance of each division: a row of `groups` has 1 for each point of the first group."""
    first_size = groups[0].sum()
    second_size = len(pair_distances) - first_size
    within_first = np.sum((groups @ pair_distances) * groups, axis=1)
    from_first = groups @ pair_distances.sum(axis=1)
    across = from_first - within_first
    within_second = pair_distances.sum() - 2 * from_first + within_first
    return (
        2 * across / (first_size * second_size)
        - within_first / first_size**2
        - within_second / second_size**2
    )
