"""Correlation of a judge's scores with people's: Pearson, Spearman and Kendall's tau-b.

Each is NaN where one side is constant: a constant judge has no correlation, not a correlation of zero.
"""

from math import nan, sqrt

import numpy as np

from ragstone.stats._arrays import FloatArray, IntArray, Numbers, finite
from ragstone.stats._checks import same_length


def pearson(first: Numbers, second: Numbers) -> float:
    """Return Pearson's r in [-1, 1], the linear correlation of two aligned sequences.

    Raises:
        ValueError: Lengths differ or a value is not finite.
    """
    x, y = _checked_pair(first, second)
    if x.size == 0:
        return nan
    # Scaling first keeps squares of tiny and huge values within the range of floats.
    x, y = _scaled_residuals(x), _scaled_residuals(y)
    norm = float(np.sqrt((x**2).sum() * (y**2).sum()))
    return max(-1.0, min(1.0, float(x @ y) / norm)) if norm > 0.0 else nan


def spearman(first: Numbers, second: Numbers) -> float:
    """Return Spearman's rho in [-1, 1]: Pearson's r of the ranks, equal values sharing their mean rank.

    Raises:
        ValueError: Lengths differ or a value is not finite.
    """
    x, y = _checked_pair(first, second)
    return pearson(mean_ranks(x), mean_ranks(y))


def kendall(first: Numbers, second: Numbers) -> float:
    """Return Kendall's tau-b in [-1, 1]: concordant minus discordant pairs, corrected for ties.

    Source: Kendall 1945, Biometrika 33. Time O(n log² n).

    Raises:
        ValueError: Lengths differ or a value is not finite.
    """
    x, y = _checked_pair(first, second)
    pairs = x.size * (x.size - 1) // 2
    order = np.lexsort((y, x))
    x, y = x[order], y[order]
    tied_x, tied_y = _tied_pairs(x), _tied_pairs(y)
    tied_both = _tied_pairs(_dense_ranks(x) * (x.size + 1) + _dense_ranks(y))
    if pairs in {tied_x, tied_y}:
        return nan
    # Within equal x the y ascend, so that every inversion left is a discordant pair.
    concordance = pairs - tied_x - tied_y + tied_both - 2 * _inversions(_dense_ranks(y))
    return concordance / sqrt(pairs - tied_x) / sqrt(pairs - tied_y)


def correlations(first: Numbers, second: Numbers) -> list[float]:
    """Return Pearson's r, Spearman's rho and Kendall's tau-b."""
    return [pearson(first, second), spearman(first, second), kendall(first, second)]


def mean_ranks(values: FloatArray) -> FloatArray:
    """Return the 1-based ranks of `values`, equal values sharing the mean of theirs."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (last - (counts - 1) / 2.0)[inverse]


def _checked_pair(first: Numbers, second: Numbers) -> tuple[FloatArray, FloatArray]:
    same_length(first=first, second=second)
    return finite(first, "first"), finite(second, "second")


def _scaled_residuals(values: FloatArray) -> FloatArray:
    if float(np.ptp(values)) == 0.0:
        return np.zeros_like(values)
    residuals = values - values.mean()
    return residuals / np.abs(residuals).max()


def _dense_ranks(values: FloatArray) -> IntArray:
    return np.unique(values, return_inverse=True)[1].astype(np.intp)


def _tied_pairs(values: FloatArray | IntArray) -> int:
    counts = np.unique(values, return_counts=True)[1]
    return int((counts * (counts - 1) // 2).sum())


def _inversions(codes: IntArray) -> int:
    """Count pairs in the wrong order, each decided at the highest bit in which the two differ."""
    total = 0
    for bit in range(int(codes.max(initial=0)).bit_length() - 1, -1, -1):
        group, ones = codes >> (bit + 1), (codes >> bit) & 1
        order = np.argsort(group, kind="stable")
        group, ones = group[order], ones[order]
        seen = np.cumsum(ones)
        first = np.searchsorted(group, group)
        before_group = seen[first] - ones[first]
        total += int((seen - before_group)[ones == 0].sum())
    return total
