"""The mean of scores that are known only to lie between two bounds.

A case of which part could not be decided has a least possible score l and a greatest possible score h; a case that was
not measured at all has l = 0 and h = 1. The mean over all cases then lies between the mean of l and the mean of h. No
single number between them is an estimate: leaving out what could not be decided assumes that it is like the rest.

The interval of the mean runs from the lower end of the interval of the l to the upper end of that of the h, each at the
full level. It holds the whole set of possible means, and so the true one, in at least `level` of all datasets, except
where the two intervals miss on opposite sides. Imbens and Manski (2004, Econometrica 72) narrow it to hold the true
mean alone; that saves at most an eighth of the width and is weak with few cases or groups, so it is not done here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragstone.stats._sample import describe, same_length
from ragstone.stats.interval import Interval, mean_interval

if TYPE_CHECKING:
    from ragstone.stats._arrays import Clusters, Numbers


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
    surely: Sequence[bool],
    possibly: Sequence[bool],
    clusters: "Clusters | None" = None,
    level: float = 0.95,
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
