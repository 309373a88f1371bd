"""Quantiles, such as the median or the 95th percentile of latencies, with intervals that assume no distribution.

The number of values at or below the true quantile is binomial, so two order statistics hold it (Conover 1999, section
3.2). Where values come in groups, the number of independent values that would know the share below the quantile as well
takes the place of their number (Korn and Graubard 1998, Survey Methodology 24). Few values bound a high quantile from
below only: its upper end is then infinite.
"""

from bisect import bisect_left
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import ceil, inf

import numpy as np

from ragstone.stats._arrays import BoolArray, FloatArray, IntArray, cluster_codes, finite
from ragstone.stats._sample import spread
from ragstone.stats._special import beta_cdf

_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Quantile:
    """A quantile and its interval.

    Attributes:
        share: Share of the values at or below it, 0.95 for the 95th percentile.
        value: The smallest value with at least that share at or below it.
        low: Lower end of the interval; minus infinity where the values give none.
        high: Upper end; infinity where the values give none.
        n: Number of values.
    """

    share: float
    value: float
    low: float
    high: float
    n: int


def quantile_interval(
    values: Sequence[float], share: float, clusters: Sequence[Hashable] | None = None, *, level: float = 0.95
) -> Quantile:
    """Return a quantile of the population that `values` were drawn from.

    Args:
        values: Finite numbers, at least one, any order.
        share: In (0, 1).
        clusters: For each value the group it belongs to.
        level: Nominal coverage.

    Raises:
        ValueError: There is no value, one is not finite, or `share` is outside (0, 1).
    """
    array = np.sort(finite(values, "values"))
    if not array.size or not 0.0 < share < 1.0:
        raise ValueError(
            f"share={share} of {array.size} values: give a share in (0, 1) and at least one value"
        )
    value, codes = _at(array, share), cluster_codes(clusters, array.size)
    n = array.size if codes is None else _effective_size(finite(values) <= value, share, codes)
    low, high = _ranks(n, share, (1.0 - level) / 2.0)
    return Quantile(
        share,
        value,
        min(value, _at(array, low / n)) if low else -inf,
        max(value, _at(array, high / n)) if high <= n else inf,
        array.size,
    )


def _effective_size(below: BoolArray, share: float, codes: IntArray) -> int:
    """Return how many independent values know as much of the share below the quantile; at most one for each value."""
    groups = int(codes.max()) + 1
    variance = spread(below.astype(np.float64), codes).variance if groups > 1 else 0.0
    if variance <= 0.0:
        return groups
    return max(1, min(below.size, int(share * (1.0 - share) / variance)))


def _at(array: FloatArray, share: float) -> float:
    """Return the smallest of sorted values with at least that share at or below it."""
    return float(array[max(1, ceil(share * array.size - _ROUNDING)) - 1])


def _ranks(n: int, share: float, tail: float) -> tuple[int, int]:
    """Return the ranks, from 1, of the values that bound the quantile; 0, and n + 1, where no value does."""
    # The r-th smallest value exceeds the quantile with the probability that at most r - 1 values are below it.
    least = bisect_left(range(n + 1), True, key=lambda k: _binomial_cdf(k, n, share) > tail)
    most = bisect_left(range(n + 1), True, key=lambda k: _binomial_cdf(k, n, share) >= 1.0 - tail) + 1
    return least, most


def _binomial_cdf(k: int, n: int, share: float) -> float:
    return 1.0 if k >= n else 1.0 - beta_cdf(share, k + 1.0, n - k)
