"""Any statistic of cases with its bootstrap interval: a correlation, an AUROC, a kappa, or a user's own.

Rows are drawn with replacement, all arrays together, so pairs stay pairs; with clusters, whole clusters are drawn. BCa
(Efron 1987, JASA 82) corrects the percentiles for bias and skewness by the jackknife; with the same seed it equals
`scipy.stats.bootstrap`. A resample on which the statistic has no value (one class only, no variance) is left out.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ragstone.stats._arrays import FloatArray, IntArray, cluster_codes
from ragstone.stats._checks import same_length
from ragstone.stats._special import normal_cdf, normal_quantile
from ragstone.stats.interval import Interval

Method = Literal["bca", "percentile"]
Statistic = Callable[..., Any]
"""A function of one or more aligned arrays to one number or an array of them, NaN where there is no value."""
RESAMPLES = 2000
_RESAMPLES_PER_BLOCK = 256
_MIN_DRAWS = 2
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


def bootstrap_all(
    statistics: Statistic,
    arrays: tuple[NDArray[Any], ...],
    codes: IntArray | None = None,
    *,
    level: float = 0.95,
    seed: int = 0,
    method: Method = "bca",
    resamples: int = RESAMPLES,
) -> list[tuple[float, float]]:
    """Return low and high of the bootstrap interval of each of several statistics over aligned `arrays`.

    They are computed on the same resamples. BCa falls back to plain percentiles where the jackknife is degenerate;
    bounds are NaN where fewer than two resamples had a value.
    """

    def measure(rows: IntArray) -> FloatArray:
        return np.atleast_1d(np.asarray(statistics(*(array[rows] for array in arrays)), dtype=np.float64))

    n = arrays[0].shape[0]
    draws = np.array(
        [measure(rows) for rows in _resampled_rows(n, codes, np.random.default_rng(seed), resamples)]
    )
    shares = ((1.0 - level) / 2.0, (1.0 + level) / 2.0)
    if method == "percentile":
        return [_quantiles(column, shares) for column in draws.T]
    observed = measure(np.arange(n, dtype=np.intp))
    left_out = np.array([measure(rows) for rows in _leave_one_out(n, codes)])
    return [
        bca_bounds(column, float(value), jackknife, level)
        for column, value, jackknife in zip(draws.T, observed, left_out.T, strict=True)
    ]


def bca_bounds(
    draws: FloatArray, observed: float, left_out: FloatArray, level: float = 0.95
) -> tuple[float, float]:
    """Return low and high of the BCa interval from the statistic on resamples, on the data and without each unit."""
    shares = ((1.0 - level) / 2.0, (1.0 + level) / 2.0)
    return _quantiles(draws, _corrected_shares(shares, draws, observed, left_out))


def _quantiles(draws: FloatArray, shares: tuple[float, float]) -> tuple[float, float]:
    finite = draws[np.isfinite(draws)]
    if finite.size < _MIN_DRAWS:
        return float("nan"), float("nan")
    low, high = np.quantile(finite, shares)
    return float(low), float(high)


def _resampled_rows(
    n: int, codes: IntArray | None, rng: np.random.Generator, resamples: int
) -> Iterator[IntArray]:
    """Yield the row numbers of each resample; drawn in blocks, so that memory stays bounded."""
    rows_of_unit = None if codes is None else _cluster_rows(codes)
    unit_count = n if rows_of_unit is None else len(rows_of_unit)
    for start in range(0, resamples, _RESAMPLES_PER_BLOCK):
        for drawn in rng.integers(0, unit_count, (min(_RESAMPLES_PER_BLOCK, resamples - start), unit_count)):
            if rows_of_unit is None:
                yield drawn
            else:
                unit_numbers: list[int] = drawn.tolist()
                yield np.concatenate([rows_of_unit[unit] for unit in unit_numbers])


def _cluster_rows(codes: IntArray) -> list[IntArray]:
    order = np.argsort(codes, kind="stable")
    starts = np.flatnonzero(np.diff(codes[order])) + 1
    parts: list[IntArray] = np.split(order, starts)
    return parts


def _leave_one_out(n: int, codes: IntArray | None) -> Iterator[IntArray]:
    units: IntArray = np.arange(n, dtype=np.intp) if codes is None else codes
    for unit in range(int(units.max()) + 1):
        yield np.flatnonzero(units != unit)


def _corrected_shares(
    shares: tuple[float, float], draws: FloatArray, observed: float, left_out: FloatArray
) -> tuple[float, float]:
    """Move the percentiles by bias z0 and acceleration a; leave them where either has no finite value."""
    draws = draws[np.isfinite(draws)]
    if not draws.size:
        return shares
    share_below = (np.count_nonzero(draws < observed) + np.count_nonzero(draws <= observed)) / (
        2.0 * draws.size
    )
    deviations = left_out[np.isfinite(left_out)]
    deviations = deviations.mean() - deviations if deviations.size else deviations
    squares = float((deviations**2).sum())
    if not 0.0 < share_below < 1.0 or squares == 0.0:
        return shares
    bias = normal_quantile(share_below)
    acceleration = float((deviations**3).sum()) / (6.0 * squares**1.5)

    def corrected(share: float) -> float:
        shifted = bias + normal_quantile(share)
        return normal_cdf(bias + shifted / (1.0 - acceleration * shifted))

    return corrected(shares[0]), corrected(shares[1])
