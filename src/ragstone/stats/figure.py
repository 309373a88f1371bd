"""A metric over test cases: mean and pass rate, each with its interval, and what became of every case.

A failure is never a number: cases that could not be measured are counted beside the mean. A score of which a part is
undecided is a range. The mean of such scores is a range too, from the mean of the lows to the mean of the highs, and
the interval holds both ends, so that leaving undecided cases out never flatters a mean.
"""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import NamedTuple

from ragstone.stats._checks import same_length
from ragstone.stats._sample import describe
from ragstone.stats.bounded import bounded_mean, bounded_pass_rate
from ragstone.stats.interval import Interval, interval_from, rate_interval
from ragstone.stats.shares import Shares
from ragstone.status import STATUS_WORDS, Status


@dataclass(frozen=True, slots=True)
class Figure:
    """One metric over one dataset.

    Attributes:
        n: Cases with a score or a range for it; mean, bounds and pass rate rest on these alone. Of a metric that gives
            labels without scores, the cases with a label and those that are undecided.
        passed: Those on the right side of the threshold.
        missed: Those on the wrong side.
        undecided: Those whose range contains the threshold, or in which nothing was decided.
        not_measured: Cases that an error prevented from being measured.
        skipped: Cases left out on purpose (a field the metric needs was missing).
        mean: Mean of the scores over the decided verdicts; None where there is none. With `low` below `high`, tell the
            range instead.
        low: Mean of the least possible scores; None where n = 0.
        high: Mean of the greatest possible scores; None where n = 0.
        interval: 95 % interval for the mean of cases like these: from the lower end of the interval of the lows to the
            upper end of that of the highs.
        pass_interval: 95 % interval for the pass rate, which holds what is undecided likewise.
        groups: Number of independent groups that the n cases fall into; n where they are not grouped.
        shares: The shares of its labels; None for a metric without labels.
    """

    n: int
    passed: int
    missed: int
    undecided: int
    not_measured: int
    skipped: int
    mean: float | None
    low: float | None
    high: float | None
    interval: Interval
    pass_interval: Interval
    groups: int
    shares: Shares | None = None

    @property
    def cases(self) -> int:
        """All cases, measured or not."""
        return self.n + self.not_measured + self.skipped

    @property
    def decided(self) -> int:
        """Cases with a score that is decided as far as the threshold is concerned."""
        return self.n - self.undecided

    @property
    def pass_rate(self) -> float | None:
        """Share of the n that passed for sure; None where n = 0, or where the metric has no threshold."""
        return self.passed / self.n if self.has_threshold else None

    @property
    def has_threshold(self) -> bool:
        """Whether any case passed, missed, or is undecided between the two."""
        return self.low is not None and self.passed + self.missed + self.undecided > 0

    @property
    def is_range(self) -> bool:
        """Whether a part of the scores is undecided, so that the mean is a range."""
        return self.low is not None and self.high is not None and self.high - self.low > _ROUNDING

    @property
    def too_few(self) -> bool:
        """Whether the numbers are computed from fewer than ten independent units."""
        return self.shares.too_few if self.low is None and self.shares else self.interval.too_few

    @property
    def counts(self) -> dict[Status, int]:
        """The number of cases of each status."""
        return {
            "passed": self.passed,
            "missed": self.missed,
            "undecided": self.undecided,
            "not_measured": self.not_measured,
            "skipped": self.skipped,
        }

    def __str__(self) -> str:
        counts = ", ".join(
            f"{count} {STATUS_WORDS[status]}" for status, count in self.counts.items() if count
        )
        counts = f"n = {self.n}" + (f", {counts}" if counts else "")
        if not self.n:
            return f"nothing measured ({counts})"
        if self.low is None:
            return f"labels without scores ({counts})"
        grouped = f" in {self.groups} groups" if self.groups != self.n else ""
        warning = "; too few to trust" if self.too_few else ""
        return f"{self._mean_text} ({self.interval}), {counts}{grouped}{warning}"

    @property
    def _mean_text(self) -> str:
        if self.is_range or self.mean is None:
            return f"{self.low:.2f} to {self.high:.2f}"
        return f"{self.mean:.2f}"


_ROUNDING = 1e-12


def figure_of(
    scores: Sequence[float | None],
    statuses: Sequence[Status | None],
    *,
    lows: Sequence[float] | None = None,
    highs: Sequence[float] | None = None,
    not_measured: int = 0,
    skipped: int = 0,
    groups: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> Figure:
    """Return the figure of one metric from the cases that have a score or a range.

    Args:
        scores: The score of each case; None where nothing was decided.
        statuses: Passed, missed or undecided for each case; None for a metric without a threshold.
        lows: The least possible score of each case; `scores` where nothing is undecided.
        highs: The greatest possible score of each case; likewise.
        not_measured: Cases that an error prevented from being measured.
        skipped: Cases skipped on purpose.
        groups: The group of each case.
        level: Nominal coverage of both intervals.

    Raises:
        ValueError: Lengths differ, a score is NaN or infinite, or a case without a score has no bounds.
    """
    known = [score for score in scores if score is not None]
    lows, highs = known if lows is None else lows, known if highs is None else highs
    same_length(scores=scores, statuses=statuses, lows=lows, highs=highs)
    if groups is not None:
        same_length(scores=scores, groups=groups)
    counts = Counter(statuses)
    bounded = bounded_mean(lows, highs, groups, level)
    passes = bounded_pass_rate(
        [status == "passed" for status in statuses],
        [status in ("passed", "undecided") for status in statuses],
        groups,
        level,
    )
    return Figure(
        n=len(scores),
        passed=counts["passed"],
        missed=counts["missed"],
        undecided=counts["undecided"],
        not_measured=not_measured,
        skipped=skipped,
        mean=_mean(known),
        low=bounded.low,
        high=bounded.high,
        interval=bounded.interval,
        pass_interval=passes.interval,
        groups=bounded.interval.units,
    )


def with_shares(figure: Figure, shares: Shares | None) -> Figure:
    """Return the figure with the shares of the labels; without any score, its cases are those with a label."""
    if shares is None or figure.n:
        return replace(figure, shares=shares)
    return replace(figure, n=shares.n, undecided=shares.undecided, groups=shares.groups, shares=shares)


class ScoreSums(NamedTuple):
    """Sums over the scores of one metric.

    Attributes:
        n: Cases with a score or a range for it.
        scored: Those with a score.
        score: Sum of the scores.
        squares: Sum of their squares.
        low: Sum of the least possible scores.
        high: Sum of the greatest possible scores.
    """

    n: int
    scored: int
    score: float
    squares: float
    low: float
    high: float


def figure_from(counts: Mapping[Status, int], sums: ScoreSums, *, labelled: int = 0) -> Figure:
    """Return the figure that `figure_of` gives for independent cases in [0, 1] of which only the sums are known.

    `labelled` cases have a label and no score; their labels are not known here.

    Where a part of the scores is undecided, the spread of the bounds is not known: the interval of the mean is then the
    widest that the sums allow, that of scores of 0 and 1.
    """
    n = sums.n
    mean = sums.score / sums.scored if sums.scored else None
    low, high = (sums.low / n, sums.high / n) if n else (None, None)
    if n and sums.scored == n and sums.high - sums.low <= _ROUNDING * n:
        variance = max(0.0, sums.squares - sums.score**2 / n) / (n - 1) if n > 1 else 0.0
        interval = bounds = interval_from(n, mean, sqrt(variance))
    else:
        interval, bounds = _widest(n, low), _widest(n, high)
    undecided = counts["undecided"] if n else 0
    sure, possible = (rate_interval(passed, n) for passed in (counts["passed"], counts["passed"] + undecided))
    cases = n or labelled + counts["undecided"]
    return Figure(
        n=cases,
        **counts,
        mean=mean,
        low=low,
        high=high,
        interval=replace(interval, high=bounds.high) if interval and bounds else sure,
        pass_interval=replace(sure, high=possible.high),
        groups=cases,
    )


def _widest(n: int, mean: float | None) -> Interval | None:
    return None if mean is None else interval_from(n, mean, sqrt(mean * (1.0 - mean) * n / max(n - 1, 1)))


def _mean(values: Sequence[float]) -> float | None:
    return describe(values, "scores").mean if len(values) else None
