"""Race several settings of a system over the same cases: which of them can be told apart from the best.

The settings are measured in rungs, on nested random subsets of the cases, each about twice as large as the one before.
After each rung the setting with the greatest mean is the leader, and every other one that is shown to be worse than it
is dropped: racing (Maron and Moore 1997, Artificial Intelligence Review 11) with paired differences (Moore and Lee
1994), in the rungs of successive halving (Jamieson and Talwalkar 2016), which drops a half without any test.

A setting is shown to be worse where two tests of its mean difference to the leader both say so, at the one-sided level

    error / (rungs · settings · (settings - 1)),

Bonferroni's for all ordered pairs in all rungs. So the chance that any setting is dropped by one that is not better,
and with it the chance that the best is dropped, is at most `error`, whatever the dependence of pairs and rungs, and
although the data choose the leader. The tests are the interval of `changes.py`, which leaves room for losses that
were not seen, and the score test of a mean of 0, whose statistic is Σd / sqrt(Σd²). The latter holds its level where
settings that are equally good could be swapped in every case (Efron 1969, JASA 64); the interval alone does not for
scores that are nearly all 0 or 1 with few cases. docs/explanation/statistics.md gives the simulated errors.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log2, sqrt

import numpy as np

from ragstone.stats._arrays import Clusters, FloatArray, IntArray, cluster_codes
from ragstone.stats._special import normal_quantile
from ragstone.stats.changes import MeanChange, change_figures
from ragstone.stats.compare import PairedScores, detectable_by
from ragstone.stats.interval import Interval

LEAST_CASES = 25
"""Cases of the first rung, at least: fewer drop nothing, since they show only differences larger than any."""

MOST_RUNGS = 5
"""More rungs drop few settings earlier, and each lowers the level of all tests."""


@dataclass(frozen=True, slots=True)
class Race:
    """The rules of a race.

    Attributes:
        settings: Number of settings at its beginning.
        rungs: Number of cases in each rung, ascending.
        error: Greatest chance that a setting is dropped by one that is not better.
    """

    settings: int
    rungs: tuple[int, ...]
    error: float = 0.05

    @property
    def level(self) -> float:
        """Coverage of the two-sided interval of each difference, which holds for all pairs and rungs together."""
        pairs = max(1, self.settings * (self.settings - 1) // 2)
        return 1.0 - self.error / (len(self.rungs) * pairs)


@dataclass(frozen=True, slots=True)
class LeaderDifference:
    """The difference of a setting to the leader, over the cases that both have.

    Attributes:
        difference: Mean difference, negative where the setting is worse; with undecided scores that of the least ones.
        interval: Its interval at the level of the race.
        worse: Whether the setting is shown to be worse.
        detectable: Smallest difference that these cases show in 80 % of datasets; None where they can show none.
    """

    difference: float
    interval: Interval
    worse: bool
    detectable: float | None


def rungs_of(cases: int) -> tuple[int, ...]:
    """Return how many of the cases each rung has: the last one all, each other half of the next."""
    number = min(MOST_RUNGS, 1 + max(0, int(log2(max(1, cases) / LEAST_CASES))))
    return tuple(ceil(cases / 2 ** (number - 1 - rung)) for rung in range(number))


def leader_of(scores: Sequence[PairedScores]) -> int:
    """Return the place of the setting with the greatest mean; an undecided score counts as the middle of its bounds."""
    return int(np.argmax([float((each.low + each.high).mean()) for each in scores]))


def difference_to_leader(
    leader: PairedScores, other: PairedScores, clusters: Clusters | None, race: Race
) -> LeaderDifference:
    """Return the difference of a setting to the leader, whose scores are of the same cases, and greater is better.

    With undecided scores, it is shown to be worse only if both the least and the greatest possible ones show it.
    """
    codes = cluster_codes(clusters, leader.low.size)
    change = MeanChange(other.low - leader.low, other.high - leader.high, codes, 1.0, 1.0)
    interval = change.interval(race.level)
    least = -normal_quantile((1.0 + race.level) / 2.0)
    worse = (
        interval.high < 0.0 and max(_statistic(each, codes) for each in (change.lows, change.highs)) <= least
    )
    power = change_figures(change.lows, codes)
    detectable = detectable_by(change, power, interval.units, race.level)
    return LeaderDifference(change.low, interval, worse, detectable)


def _statistic(changes: FloatArray, codes: IntArray | None) -> float:
    """Return the score statistic of a mean change of 0; clusters count as one."""
    sums = changes if codes is None else np.bincount(codes, weights=changes)
    scale = sqrt(float((sums**2).sum()))
    return float(sums.sum()) / scale if scale > 0.0 else 0.0
