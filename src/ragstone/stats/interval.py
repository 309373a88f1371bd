"""Confidence intervals for means and pass rates.

One construction serves both, Wilson's: an interval holds the values of the true mean that the observed mean
does not contradict, where the variance is taken *at the value under trial*. Wilson (1927) did it for rates,
with the variance p(1 - p)/n. A score in [0, 1] has a variance of at most m(1 - m), so its variance is some
share k of that, and

    (mean - m)² = q² · k · m(1 - m)        solved for m gives low and high,

where k = (estimated variance of the mean) / (mean · (1 - mean)) and q is the t quantile. For pass or fail k =
1/n, q is the normal quantile and this *is* Wilson's interval. Unlike t and the bootstrap it never leaves [0,
1], stays honest near 1.0, where most scores of a good system lie, and never shrinks to a point when all
values are equal: then k = 1/(n(n + 1)) inside the scale, as if the next value might be the first to differ.
Unbounded values (latencies, costs) get a t interval. Simulated coverage of all of them:
docs/explanation/statistics.md.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import inf, sqrt
from typing import TYPE_CHECKING, Literal

from ragstone.stats._sample import Sample, Spread, describe, sample_spread, spread
from ragstone.stats._special import beta_quantile, normal_quantile, t_quantile

if TYPE_CHECKING:
    from ragstone.stats._arrays import Clusters, IntArray, Numbers

MeanMethod = Literal["auto", "t"]
RateMethod = Literal["wilson", "exact"]
_ZERO_TOLERANCE = 1e-9
_ROUNDING_TOLERANCE = 1e-6
NEXT_TO_ZERO = 1e-12
"""An end of the interval of a difference nearer to 0 than this means that the test alone rules out 0."""

TOO_FEW = 10
"""Below this many independent units an interval is printed with a warning: its own width is a guess."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A range that holds the true value in `level` of all datasets drawn like this one.

    Attributes:
        low: Lower end, in the units of the values.
        high: Upper end, never below `low`.
        level: Nominal coverage, 0.95 for 95 %.
        method: How it was computed: `wilson`, `exact`, `score`, `t`, `bca`, `percentile` …, or `none` where the data
            give no interval.
        n: Number of values it is computed from.
        units: Number of independent units: clusters where cases are grouped, otherwise `n`.
    """

    low: float
    high: float
    level: float
    method: str
    n: int
    units: int

    @property
    def width(self) -> float:
        """Distance between the ends."""
        return self.high - self.low

    @property
    def too_few(self) -> bool:
        """Whether it is computed from fewer than ten independent units."""
        return self.units < TOO_FEW

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def __str__(self) -> str:
        return f"{self.low:.2f}\N{EN DASH}{self.high:.2f}"


def mean_interval(
    values: "Numbers",
    clusters: "Clusters | None" = None,
    level: float = 0.95,
    *,
    method: MeanMethod = "auto",
    bounds: tuple[float, float] | None = None,
) -> Interval:
    """Return an interval for the mean of the population that `values` were drawn from.

    Args:
        values: Finite numbers, any order.
        clusters: For each value the group it belongs to (a document, a user, a topic). Answers about one
            document are correlated; ignoring that makes intervals far too narrow.
        level: Nominal coverage in (0, 1).
        method: `auto` is a score interval for bounded values (Wilson's where all are pass or fail) and `t` for
            unbounded ones.
        bounds: Least and greatest possible value. By default [0, 1] where every value lies there, otherwise
            none.

    Raises:
        ValueError: A value is not finite or outside `bounds`, `level` is outside (0, 1), or lengths differ.
    """
    sample, codes = describe(values), _cluster_codes(clusters, len(values))
    _check_level(level)
    bounds = _checked_bounds(values, sample, bounds)
    units = sample.n if codes is None else int(codes.max()) + 1
    if sample.n == 0 or (sample.n == 1 and bounds is None):
        low, high = bounds or (-inf, inf)
        return Interval(low, high, level, "none", sample.n, units)
    mean_spread = sample_spread(sample) if codes is None else spread(values, codes)
    if method == "t" or bounds is None:
        return _t_interval(mean_spread, level, bounds)
    return _score_interval(sample, mean_spread, level, bounds)


def interval_from(
    n: int, mean: float | None, deviation: float | None, level: float = 0.95
) -> Interval | None:
    """Return the interval that `mean_interval` gives, for scores in [0, 1] of which only the sums are known."""
    if mean is None or n == 0:
        return None
    _check_level(level)
    mean, deviation = min(1.0, max(0.0, mean)), deviation or 0.0
    mean_spread = Spread(mean, deviation**2 / n, n, n, float(n))
    # Sums are rounded: scores differ where their deviation is more than that.
    share = variance_share(mean_spread, varied=deviation >= _ROUNDING_TOLERANCE, at_an_end=mean in {0.0, 1.0})
    low, high = solve_score(mean, share, t_quantile((1.0 + level) / 2.0, score_df(mean_spread.df, share, n)))
    return Interval(low, high, level, "score", n, n)


def rate_interval(successes: int, n: int, method: RateMethod = "wilson", *, level: float = 0.95) -> Interval:
    """Return an interval for the rate behind `successes` of `n` independent cases; n = 0 gives [0, 1].

    Args:
        successes: Whole number in [0, n].
        n: Number of independent cases; for grouped cases use `clustered_rate_interval`.
        method: `wilson` (Wilson 1927) covers 95 % on average over rates; `exact` (Clopper and Pearson 1934)
            covers at least 95 % for every rate and is wider.
        level: Nominal coverage in (0, 1).

    Raises:
        ValueError: `successes` is not in [0, n], or `level` not in (0, 1).
    """
    _check_level(level)
    if not 0 <= successes <= n:
        raise ValueError(f"successes is {successes} of n = {n}; give whole numbers with 0 <= successes <= n")
    if n == 0:
        return Interval(0.0, 1.0, level, "none", 0, 0)
    tail = (1.0 - level) / 2.0
    if method == "wilson":
        low, high = solve_score(successes / n, 1.0 / n, normal_quantile(1.0 - tail))
    else:
        low = 0.0 if successes == 0 else beta_quantile(tail, successes, n - successes + 1.0)
        high = 1.0 if successes == n else beta_quantile(1.0 - tail, successes + 1.0, n - successes)
    return Interval(low, high, level, method, n, n)


def clustered_rate_interval(
    passes: Sequence[bool], clusters: Sequence[Hashable] | None, *, level: float = 0.95
) -> Interval:
    """Return an interval for the pass rate of grouped cases; Wilson's where the grouping has no information."""
    return mean_interval([float(passed) for passed in passes], clusters, level, bounds=(0.0, 1.0))


def mean_of_two_rates(value: float, rates: Sequence[tuple[float, Interval]], n: int, units: int) -> Interval:
    """Return the interval of the mean of two independent rates, `value`, from theirs, by squaring and adding.

    MOVER: Newcombe 1998, Statistics in Medicine 17:873; Zou and Donner 2008, Statistics in Medicine 27.
    """
    below = sqrt(sum((rate - interval.low) ** 2 for rate, interval in rates)) / 2.0
    above = sqrt(sum((interval.high - rate) ** 2 for rate, interval in rates)) / 2.0
    return Interval(max(0.0, value - below), min(1.0, value + above), rates[0][1].level, "mover", n, units)


def _check_level(level: float) -> None:
    if not 0.0 < level < 1.0:
        raise ValueError(f"level is {level}; give a share between 0 and 1, such as 0.95")


def _cluster_codes(clusters: "Clusters | None", n: int) -> "IntArray | None":
    if clusters is None:
        return None
    from ragstone.stats._arrays import cluster_codes  # noqa: PLC0415  (imports numpy)

    return cluster_codes(clusters, n)


def _checked_bounds(
    values: "Numbers", sample: Sample, bounds: tuple[float, float] | None
) -> tuple[float, float] | None:
    if bounds is None:
        return None if sample.least < 0.0 or sample.greatest > 1.0 else (0.0, 1.0)
    if sample.least < bounds[0] or sample.greatest > bounds[1]:
        index = next(i for i, value in enumerate(values) if not bounds[0] <= value <= bounds[1])
        raise ValueError(f"values[{index}] is {values[index]:g}, outside the bounds {bounds}; widen them")
    return bounds


def _t_interval(mean_spread: Spread, level: float, bounds: tuple[float, float] | None) -> Interval:
    half_width = t_quantile((1.0 + level) / 2.0, mean_spread.df) * sqrt(mean_spread.variance)
    least, greatest = bounds or (-inf, inf)
    low, high = max(least, mean_spread.mean - half_width), min(greatest, mean_spread.mean + half_width)
    return Interval(low, high, level, "t", mean_spread.n, mean_spread.units)


def _score_interval(
    sample: Sample, mean_spread: Spread, level: float, bounds: tuple[float, float]
) -> Interval:
    least, span = bounds[0], bounds[1] - bounds[0]
    is_clustered, rescaled = mean_spread.units != mean_spread.n, mean_spread.moved(least, span)
    at_ends = {sample.least, sample.greatest} <= {*bounds}
    share = variance_share(rescaled, varied=sample.varied, at_an_end=sample.least in bounds)
    # Dependence within clusters is always estimated, whatever the scores.
    df = rescaled.df if is_clustered else score_df(rescaled.df, share, rescaled.n)
    low, high = solve_score(rescaled.mean, share, t_quantile((1.0 + level) / 2.0, df))
    name = "wilson" if not is_clustered and at_ends and sample.two_valued else "score"
    return Interval(least + span * low, least + span * high, level, name, rescaled.n, rescaled.units)


def score_df(df: float, share: float, n: int) -> float:
    """Return the degrees of freedom, which are fewer where more of the variance had to be estimated.

    For pass or fail (share · n = 1) the mean gives the variance, nothing is estimated, and t becomes normal.
    """
    estimated_share = 1.0 - share * n
    return df / estimated_share if estimated_share > _ZERO_TOLERANCE else inf


def variance_share(found: Spread, *, varied: bool, at_an_end: bool) -> float:
    """Return k: the variance of the mean as a share of mean · (1 - mean), for values in [0, 1].

    Where all values are equal they cannot tell their variance. At an end of the scale each unit then counts
    as one pass or fail (k = 1/units); inside it, one unseen value at the ends of the scale is allowed for.
    """
    if varied:
        share = found.variance / (found.mean * (1.0 - found.mean))
        # No score in [0, 1] varies more than pass or fail does; for those s² overshoots by n / (n - 1).
        return min(share, 1.0 / found.n) if found.units == found.n else share
    return 1.0 / found.effective_units / (1.0 if at_an_end else found.effective_units + 1.0)


def solve_score(mean: float, share: float, quantile: float) -> tuple[float, float]:
    """Solve (mean - m)² = quantile² · share · m(1 - m) for m."""
    a = share * quantile**2
    centre = (mean + a / 2.0) / (1.0 + a)
    half_width = sqrt(a * (mean * (1.0 - mean) + a / 4.0)) / (1.0 + a)
    # At the ends of the scale the root is exactly 0 or 1; rounding must not say otherwise.
    low = 0.0 if mean == 0.0 else max(0.0, centre - half_width)
    high = 1.0 if mean == 1.0 else min(1.0, centre + half_width)
    return low, high
