"""The change of a cost, a number of tokens or a latency between two runs over the same cases, as a ratio.

The ratio of two means over the same cases has the interval exp(log R ± t·s), where s is the standard error of the
differences after/mean(after) - before/mean(before), whose mean is 0 (the delta method on the logarithm). The ratio of
two quantiles has a percentile bootstrap interval over the cases, or over their groups.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import exp, inf, log

import numpy as np

from ragstone.stats._arrays import FloatArray, cluster_codes, finite
from ragstone.stats._checks import same_length
from ragstone.stats.estimate import bootstrap_all
from ragstone.stats.interval import mean_interval

_MIN_UNITS = 20
"""Independent units below which a bootstrap interval of a high quantile says little, and none is given."""


@dataclass(frozen=True, slots=True)
class PairedRatio:
    """A figure of two runs over the same cases.

    Attributes:
        before: The figure of the earlier run.
        after: That of the later run.
        ratio: After divided by before.
        low: Lower end of the interval of the ratio; 0 where there is none.
        high: Upper end; infinity where there is none.
        n: Number of cases.
    """

    before: float
    after: float
    ratio: float
    low: float
    high: float
    n: int


def paired_mean_ratio(
    before: Sequence[float],
    after: Sequence[float],
    clusters: Sequence[Hashable] | None = None,
    *,
    level: float = 0.95,
) -> PairedRatio | None:
    """Return the ratio of two means over the same cases; None where a mean is not above 0.

    Args:
        before: Values of at least 0, entry i of each being the same case.
        after: Likewise.
        clusters: For each case the group it belongs to.
        level: Nominal coverage.

    Raises:
        ValueError: A value is not finite, or lengths differ.
    """
    old, new = _paired(before, after)
    if not old.size or old.mean() <= 0.0 or new.mean() <= 0.0:
        return None
    ratio, low, high = float(new.mean() / old.mean()), 0.0, inf
    if _units(clusters, old.size) > 1:
        changes = new / new.mean() - old / old.mean()
        span = mean_interval(changes, clusters, level, method="t", bounds=(-inf, inf))
        low, high = exp(log(ratio) + span.low), exp(log(ratio) + span.high)
    return PairedRatio(float(old.mean()), float(new.mean()), ratio, low, high, old.size)


def paired_quantile_ratio(
    before: Sequence[float],
    after: Sequence[float],
    share: float,
    clusters: Sequence[Hashable] | None = None,
    *,
    level: float = 0.95,
    seed: int = 0,
) -> PairedRatio | None:
    """Return the ratio of two quantiles over the same cases; None where one of them is not above 0.

    Args:
        before: Values of at least 0, entry i of each being the same case.
        after: Likewise.
        share: Share of the values at or below the quantile.
        clusters: For each case the group it belongs to.
        level: Nominal coverage.
        seed: For the resamples.

    Raises:
        ValueError: A value is not finite, or lengths differ.
    """
    old, new = _paired(before, after)
    if not old.size:
        return None

    def quantiles(values: FloatArray) -> float:
        return float(np.quantile(values, share, method="inverted_cdf"))

    def statistic(first: FloatArray, second: FloatArray) -> float:
        divisor = quantiles(first)
        return quantiles(second) / divisor if divisor > 0.0 else float("nan")

    ratio, low, high = statistic(old, new), 0.0, inf
    if not ratio > 0.0:
        return None
    if _units(clusters, old.size) >= _MIN_UNITS:
        codes = cluster_codes(clusters, old.size)
        ((low, high),) = bootstrap_all(
            statistic, (old, new), codes, level=level, seed=seed, method="percentile"
        )
    return PairedRatio(quantiles(old), quantiles(new), ratio, low, high, old.size)


def _units(clusters: Sequence[Hashable] | None, n: int) -> int:
    return n if clusters is None else len(set(clusters))


def _paired(before: Sequence[float], after: Sequence[float]) -> tuple[FloatArray, FloatArray]:
    same_length(before=before, after=after)
    return finite(before, "before"), finite(after, "after")
