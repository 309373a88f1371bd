"""The mean of scores that are known only to lie between two bounds.

A case of which part could not be decided has a least possible score l and a greatest possible score h; a case that was
not measured at all has l = 0 and h = 1. The mean over all cases then lies between the mean of l and the mean of h. No
single number between them is an estimate: leaving out what could not be decided assumes that it is like the rest.

The interval of the mean runs from the lower end of the interval of the l to the upper end of that of the h, each at the
full level. It holds the whole set of possible means, and so the true one, in at least `level` of all datasets, except
where the two intervals miss on opposite sides. Imbens and Manski (2004, Econometrica 72) narrow it to hold the true
mean alone; that saves at most an eighth of the width and is weak with few cases or groups, so it is not done here.

People's checks of some undecided cases narrow it. Of U undecided cases of n, c are drawn at random and scored by
people. With g = h - l the width of a case's bounds and t the part of it that people confirm (their score - l), the
share of the width that is true is estimated over the checked cases, drawn to one half by one case's worth of width,
and applied to all:

    q = (sum of t + mean of g / 2) / (sum of g + mean of g)    over the checked cases,
    y = l + q·g                                                for every case.

This is a ratio estimator in two phases (Cochran 1977, Sampling Techniques, chapters 6 and 12). With r² = the sum of
(t - q·g)² / (c - 1), the variance of the mean of y has three parts: that between the y of all cases; r²·U/n², by which
the true scores vary more than y does; and that of q, r²/c · (U/n)² · (1 - c/U).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ragstone.stats._checks import same_length
from ragstone.stats._sample import describe, spread
from ragstone.stats._special import t_quantile
from ragstone.stats.interval import Interval, mean_interval, solve_score

if TYPE_CHECKING:
    from ragstone.stats._arrays import Clusters, Numbers

_MIN_CHECKS = 2


@dataclass(frozen=True, slots=True)
class BoundedMean:
    """The range of a mean whose cases are known only to lie between bounds.

    Attributes:
        low: Mean of the least possible scores; None where there is no case.
        high: Mean of the greatest possible scores; equal to `low` where every score is known.
        interval: For the true mean of the population, whatever the undecided scores are. `n` counts all cases.
        undecided: Number of cases whose bounds differ.
    """

    low: float | None
    high: float | None
    interval: Interval
    undecided: int

    @property
    def undecided_share(self) -> float:
        """Share of the cases whose bounds differ; 0 where there is no case."""
        return self.undecided / self.interval.n if self.interval.n else 0.0

    def __str__(self) -> str:
        if self.low is None or self.high is None:
            return "no case"
        if not self.undecided:
            return f"{self.low:.2f} ({self.interval})"
        share = f"{100 * self.undecided_share:.0f} % undecided"
        return f"{self.low:.2f} to {self.high:.2f} ({self.interval}); {share}"


def bounded_mean(
    lows: "Numbers", highs: "Numbers", clusters: "Clusters | None" = None, level: float = 0.95
) -> BoundedMean:
    """Return the mean of scores of which only bounds are known, with its interval.

    Args:
        lows: Least possible score of each case; 0 where it was not measured.
        highs: Greatest possible score of each case, in the same order; 1 where it was not measured.
        clusters: For each case the group it belongs to.
        level: Nominal coverage in (0, 1).

    Raises:
        ValueError: A bound is not finite, a low exceeds its high, `level` is outside (0, 1), or lengths differ.
    """
    same_length(lows=lows, highs=highs)
    least, greatest = describe(lows, "lows"), describe(highs, "highs")
    undecided = _count_undecided(lows, highs)
    bounds = (0.0, 1.0) if least.n == 0 or (least.least >= 0.0 and greatest.greatest <= 1.0) else None
    low = mean_interval(lows, clusters, level, bounds=bounds)
    high = mean_interval(highs, clusters, level, bounds=bounds) if undecided else low
    method = low.method if low.method == high.method else "score"
    return BoundedMean(
        low=least.mean if least.n else None,
        high=greatest.mean if greatest.n else None,
        interval=Interval(low.low, high.high, level, method, low.n, low.units),
        undecided=undecided,
    )


def bounded_pass_rate(
    surely: Sequence[bool], possibly: Sequence[bool], clusters: "Clusters | None" = None, level: float = 0.95
) -> BoundedMean:
    """Return the share of cases that pass, from those that surely do to those that may, with its interval.

    Args:
        surely: Whether each case passes at its worst possible score.
        possibly: Whether it passes at its best possible score, in the same order.
        clusters: For each case the group it belongs to.
        level: Nominal coverage in (0, 1).

    Raises:
        ValueError: A case passes surely but not possibly, `level` is outside (0, 1), or lengths differ.
    """
    return bounded_mean([float(each) for each in surely], [float(each) for each in possibly], clusters, level)


def _count_undecided(lows: "Numbers", highs: "Numbers") -> int:
    pairs: Sequence[tuple[float, float]] = list(zip(lows, highs, strict=True))
    wrong = next((i for i, (low, high) in enumerate(pairs) if low > high), None)
    if wrong is not None:
        raise ValueError(
            f"lows[{wrong}] is {lows[wrong]:g}, above highs[{wrong}], {highs[wrong]:g}; give the lower bound first"
        )
    return sum(low < high for low, high in pairs)


@dataclass(frozen=True, slots=True)
class NarrowedMean:
    """A mean of bounded scores with people's checks of some undecided cases.

    Attributes:
        value: The estimated mean; None where fewer than two undecided cases were checked.
        interval: For the true mean; never wider than that of the bounds alone.
        bounds: The range of the mean without the checks.
        checked: How many undecided cases were checked.
    """

    value: float | None
    interval: Interval
    bounds: BoundedMean
    checked: int


def narrowed_mean(
    lows: "Numbers",
    highs: "Numbers",
    truths: Sequence[float | None],
    clusters: "Clusters | None" = None,
    level: float = 0.95,
) -> NarrowedMean:
    """Return the mean of scores in [0, 1] of which only bounds are known, some of them checked by people.

    The checked cases must be drawn at random from the undecided ones. An interval from checks of chosen cases means
    nothing.

    Args:
        lows: Least possible score of each case.
        highs: Greatest possible score of each case.
        truths: The score of each case that people checked; None for the others. Those of decided cases are ignored.
        clusters: For each case the group it belongs to.
        level: Nominal coverage in (0, 1).

    Raises:
        ValueError: A checked score is outside its bounds, a bound is outside [0, 1], or as for `bounded_mean`.
    """
    import numpy as np  # noqa: PLC0415  (importing the module does not need it)

    from ragstone.stats._arrays import cluster_codes, finite  # noqa: PLC0415

    same_length(lows=lows, highs=highs, truths=truths)
    bounds = bounded_mean(lows, highs, clusters, level)
    low, high = finite(lows, "lows"), finite(highs, "highs")
    width = high - low
    places = [place for place, truth in enumerate(truths) if truth is not None and width[place] > 0.0]
    truth = np.array([truths[place] for place in places], dtype=np.float64)
    _check_scores(truth, places, low[places], high[places])
    if len(places) < _MIN_CHECKS:
        return NarrowedMean(None, bounds.interval, bounds, len(places))
    gained, checked_width = truth - low[places], width[places]
    mean_width, checks = float(checked_width.mean()), len(places)
    share = float((gained.sum() + mean_width / 2.0) / (checked_width.sum() + mean_width))
    found = spread(low + share * width, cluster_codes(clusters, low.size))
    residual = float(((gained - share * checked_width) ** 2).sum()) / (checks - 1)
    undecided_share = bounds.undecided_share
    between = found.variance + residual * undecided_share / low.size
    of_share = residual / checks * undecided_share**2 * (1.0 - checks / bounds.undecided)
    variance = between + of_share
    df = variance**2 / (between**2 / found.df + of_share**2 / (checks - 1)) if variance else found.df
    value = min(1.0, max(0.0, found.mean))
    return NarrowedMean(value, _within(bounds.interval, value, variance, df), bounds, checks)


def _within(bounds: Interval, value: float, variance: float, df: float) -> Interval:
    """Return the score interval of a mean with that variance, cut to the interval of the bounds."""
    most = value * (1.0 - value)
    if most == 0.0:
        return bounds
    low, high = solve_score(value, variance / most, t_quantile((1.0 + bounds.level) / 2.0, max(1.0, df)))
    return replace(bounds, low=max(bounds.low, low), high=min(bounds.high, high), method="score")


def _check_scores(truth: "Numbers", places: Sequence[int], low: "Numbers", high: "Numbers") -> None:
    for score, place, least, greatest in zip(truth, places, low, high, strict=True):
        if not (0.0 <= least <= score <= greatest <= 1.0):
            raise ValueError(
                f"truths[{place}] is {score:g}, outside its bounds {least:g} to {greatest:g}; give a score between them"
            )
