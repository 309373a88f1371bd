"""The bootstrap: the variation of a statistic over resamples of the cases, or of clusters of them.

Rows are drawn with replacement, all arrays together, so pairs stay pairs; with clusters, whole clusters are
drawn. BCa (Efron 1987, JASA 82) corrects the percentiles for bias and skewness by the jackknife; with the
same seed it equals `scipy.stats.bootstrap`. A resample on which the statistic has no value (one class only,
no variance) is left out.
"""

from collections.abc import Callable, Iterator
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ragstone.stats._arrays import FloatArray, IntArray
from ragstone.stats._special import normal_cdf, normal_quantile

Method = Literal["bca", "percentile"]
Statistic = Callable[..., Any]
"""A function of one or more aligned arrays to one number or an array of them, NaN where there is no value."""
RESAMPLES = 2000
_RESAMPLES_PER_BLOCK = 256
_MIN_DRAWS = 2


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
    shares: tuple[float, float],
    draws: FloatArray,
    observed: float,
    left_out: FloatArray,
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
