"""Repeated scores of a judge: the variance between cases, and the variance between answers about one case.

A score is the mean of its case plus a random deviation of the judge. With k repeats per case the one-way
random effects analysis of variance (Searle, Casella and McCulloch 1992, chapter 3) separates the two. More
cases shrink the first, more repeats only the second; the shares show where calls are best spent.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Literal

import numpy as np

from ragstone.stats._arrays import FloatArray, finite
from ragstone.stats._special import t_quantile
from ragstone.stats.interval import Interval, mean_interval

Verdict = Literal["pass", "fail", "undecided"]
_TIE_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class RepeatedCase:
    """One case, judged several times.

    Attributes:
        n: Number of repeats that could be measured.
        mean: Their mean score, None without any.
        low: Least score.
        high: Greatest score.
        interval: For the score the judge would give on average; its width uses the judge's spread over all
            cases.
        unstable: Whether the repeats lie on both sides of the threshold.
        verdict: `pass` or `fail` where the whole interval lies on one side of the threshold, else
            `undecided`.
    """

    n: int
    mean: float | None
    low: float | None
    high: float | None
    interval: Interval | None
    unstable: bool
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Repeats:
    """A metric asked several times on every case.

    Attributes:
        cases: One entry per case, in order.
        mean: Mean over cases of their mean score, None where nothing was measured.
        interval: For that mean; it includes both sources of variance.
        between: Variance of the true scores among cases.
        within: Variance of one answer of the judge around its case's mean; None without repeats.
        unstable: Positions of the cases that straddle the threshold.
        passed: Whether the interval of the mean lies on the passing side: the pass rule on the interval.
    """

    cases: tuple[RepeatedCase, ...]
    mean: float | None
    interval: Interval
    between: float | None
    within: float | None
    unstable: tuple[int, ...]
    passed: bool

    @property
    def reliability(self) -> float | None:
        """Share of an answer's variance that lies between cases (intraclass correlation); 1 is a steady judge."""
        if self.between is None or self.within is None or self.between + self.within <= 0.0:
            return None
        return self.between / (self.between + self.within)

    def standard_error(self, cases: int, repeats: int) -> float | None:
        """Return the standard error of the mean over `cases` cases with `repeats` repeats each."""
        if self.between is None or self.within is None:
            return None
        return sqrt((self.between + self.within / repeats) / cases)


def analyse_repeats(
    scores: Sequence[Sequence[float | None]],
    *,
    threshold: float = 0.5,
    higher_is_better: bool = True,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> Repeats:
    """Separate the judge's variance from the cases', and decide on intervals instead of single answers.

    Args:
        scores: For each case its repeated scores, None where one could not be measured; numbers may differ.
        threshold: The metric's.
        higher_is_better: Whether a score at or above the threshold passes, or one at or below it.
        clusters: For each case the group it belongs to.
        level: Nominal coverage of all intervals.

    Raises:
        ValueError: A score is NaN or infinite, or there is not one cluster per case.
    """
    if clusters is not None and len(clusters) != len(scores):
        raise ValueError(f"clusters has {len(clusters)} entries for {len(scores)} cases; give one per case")
    rows = [
        finite([score for score in row if score is not None], f"scores[{position}]")
        for position, row in enumerate(scores)
    ]
    measured = [position for position, row in enumerate(rows) if row.size]
    means = np.array([rows[position].mean() for position in measured], dtype=np.float64)
    groups = None if clusters is None else [clusters[position] for position in measured]
    interval = mean_interval(means, groups, level)
    between, within, df = _variance_components([rows[position] for position in measured])
    sign = 1.0 if higher_is_better else -1.0
    cases = tuple(_repeated_case(row, threshold, sign, within=within, df=df, level=level) for row in rows)
    return Repeats(
        cases=cases,
        mean=float(means.mean()) if means.size else None,
        interval=interval,
        between=between,
        within=within,
        unstable=tuple(position for position, case in enumerate(cases) if case.unstable),
        passed=bool(means.size) and _verdict(interval, threshold, sign) == "pass",
    )


def _variance_components(rows: list[FloatArray]) -> tuple[float | None, float | None, int]:
    """Return the variance between cases, within them, and the degrees of freedom of the latter."""
    sizes = np.array([row.size for row in rows], dtype=np.float64)
    n, df = float(sizes.sum()), int(sizes.sum()) - len(rows)
    if df < 1:
        return None, None, 0
    within = sum(float(((row - row.mean()) ** 2).sum()) for row in rows) / df
    if len(rows) < 2:  # noqa: PLR2004 - a variance between cases needs two of them
        return None, within, df
    means = np.array([row.mean() for row in rows])
    mean_square = float((sizes * (means - float((sizes * means).sum()) / n) ** 2).sum()) / (len(rows) - 1)
    typical_size = (n - float((sizes**2).sum()) / n) / (len(rows) - 1)
    return max(0.0, (mean_square - within) / typical_size), within, df


def _repeated_case(
    row: FloatArray, threshold: float, sign: float, *, within: float | None, df: int, level: float
) -> RepeatedCase:
    if not row.size:
        return RepeatedCase(0, None, None, None, None, unstable=False, verdict="undecided")
    mean, passes = float(row.mean()), sign * (row - threshold) >= -_TIE_TOLERANCE
    if within is None:  # no case was repeated: the single answer decides
        interval, verdict = None, "pass" if bool(passes[0]) else "fail"
    else:
        half_width = t_quantile((1.0 + level) / 2.0, df) * sqrt(within / row.size)
        interval = Interval(mean - half_width, mean + half_width, level, "t", row.size, row.size)
        verdict = _verdict(interval, threshold, sign)
    return RepeatedCase(
        n=row.size,
        mean=mean,
        low=float(row.min()),
        high=float(row.max()),
        interval=interval,
        unstable=bool(passes.any()) and not bool(passes.all()),
        verdict=verdict,
    )


def _verdict(interval: Interval, threshold: float, sign: float) -> Verdict:
    worst, best = sorted((sign * (interval.low - threshold), sign * (interval.high - threshold)))
    if worst >= -_TIE_TOLERANCE:
        return "pass"
    return "fail" if best < -_TIE_TOLERANCE else "undecided"
