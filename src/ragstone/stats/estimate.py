"""Any statistic of cases with its bootstrap interval: a correlation, an AUROC, a kappa, or a user's own."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragstone.stats._arrays import cluster_codes
from ragstone.stats._bootstrap import RESAMPLES, Method, Statistic, bootstrap_all
from ragstone.stats._sample import same_length
from ragstone.stats.interval import Interval

_MAX_UNITS_FOR_BCA = 500
"""Above this many units BCa corrects by less than the bootstrap's own noise, and its jackknife is slow."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number and its interval.

    Attributes:
        value: the number; None where it is undefined for the data.
        interval: the interval; None without a value, and where every resample gave the same number (a perfect
            correlation of few cases), since that is no evidence of certainty.
    """

    value: float | None
    interval: Interval | None

    def __str__(self) -> str:
        if self.value is None:
            return "undefined"
        return f"{self.value:.2f}" if self.interval is None else f"{self.value:.2f} ({self.interval})"


def estimate(
    statistic: Statistic,
    *columns: Sequence[Any] | NDArray[Any],
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Estimate:
    """Return `statistic(*columns)` with its bootstrap interval over cases, or over whole clusters of them.

    Args:
        statistic: Takes the columns as arrays and returns one number, NaN where it has no value.
        columns: Aligned sequences, entry i of each belonging to case i.
        clusters: For each case the group it belongs to.
        level: Nominal coverage.
        seed: The same seed gives the same interval.
        resamples: Bootstrap resamples.

    Raises:
        ValueError: Lengths differ.
    """
    return estimates(
        lambda *arrays: [statistic(*arrays)],
        *columns,
        clusters=clusters,
        level=level,
        seed=seed,
        resamples=resamples,
    )[0]


def estimates(
    statistics: Statistic,
    *columns: Sequence[Any] | NDArray[Any],
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> list[Estimate]:
    """Return several statistics computed together on the same resamples; see `estimate`."""
    n = same_length(**{f"column {i + 1}": column for i, column in enumerate(columns)})
    arrays = tuple(np.asarray(column) for column in columns)
    if n == 0:
        return []
    observed: list[float] = [float(value) for value in statistics(*arrays)]
    codes = cluster_codes(clusters, n)
    units = n if codes is None else int(codes.max()) + 1
    method: Method = "bca" if units <= _MAX_UNITS_FOR_BCA else "percentile"
    bounds = bootstrap_all(
        statistics, arrays, codes, level=level, seed=seed, method=method, resamples=resamples
    )
    return [
        _estimate_or_none(value, Interval(low, high, level, method, n, units))
        for value, (low, high) in zip(observed, bounds, strict=True)
    ]


def _estimate_or_none(value: float, interval: Interval) -> Estimate:
    """Drop an undefined value, and an interval of width 0, which would claim certainty."""
    if not isfinite(value):
        return Estimate(None, None)
    return Estimate(value, interval if interval.width > 0.0 else None)
