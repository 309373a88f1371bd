"""Summary of a metric's results over a dataset: mean and pass rate, each with its interval and its n.

A failure is never a number: cases that could not be measured are counted separately and are not part of the mean.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from ragstone.stats._sample import describe, same_length
from ragstone.stats.interval import Interval, clustered_rate_interval, mean_interval


@dataclass(frozen=True, slots=True)
class Summary:
    """Mean score and pass rate of one metric over one dataset.

    Attributes:
        n: Cases with a score; mean and pass rate rest on these alone.
        failed: Cases that could not be measured (a judge's or provider's failure).
        skipped: Cases left out on purpose (a field the metric needs was missing).
        mean: Mean score; None where n = 0.
        interval: 95 % interval for the mean of cases like these.
        pass_rate: Share of the n that passed; None where n = 0.
        pass_interval: 95 % interval for the pass rate.
        clusters: Number of groups the n cases fall into; n where they are not grouped.
    """

    n: int
    failed: int
    skipped: int
    mean: float | None
    interval: Interval
    pass_rate: float | None
    pass_interval: Interval
    clusters: int

    @property
    def too_few(self) -> bool:
        """Whether the numbers are computed from fewer than ten independent units."""
        return self.interval.too_few

    def __str__(self) -> str:
        counts = f"n = {self.n}, {self.failed} failed, {self.skipped} skipped"
        if self.mean is None or self.pass_rate is None:
            return f"nothing measured ({counts})"
        grouped = f" in {self.clusters} groups" if self.clusters != self.n else ""
        warning = "; too few to trust" if self.too_few else ""
        percent = f"{100 * self.pass_interval.low:.0f}\N{EN DASH}{100 * self.pass_interval.high:.0f} %"
        passed = f"{100 * self.pass_rate:.0f} % passed ({percent})"
        return f"{self.mean:.2f} ({self.interval}), {passed}, {counts}{grouped}{warning}"


def summarise(
    scores: Sequence[float | None],
    passes: Sequence[bool | None],
    *,
    failed: int = 0,
    skipped: int = 0,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> Summary:
    """Summarise the scores of one metric.

    Args:
        scores: One score per case; None where it could not be measured, which adds to `failed`.
        passes: Whether each case reached the threshold; ignored where the score is None.
        failed: Further failures that have no entry in `scores`.
        skipped: Cases skipped on purpose; they have no entry in `scores`.
        clusters: For each entry of `scores` the group it belongs to.
        level: Nominal coverage of both intervals.

    Raises:
        ValueError: Lengths differ, a score is NaN or infinite, or a measured case has no pass decision.
    """
    same_length(scores=scores, passes=passes)
    if clusters is not None:
        same_length(scores=scores, clusters=clusters)
    positions = [position for position, score in enumerate(scores) if score is not None]
    measured = [score for score in scores if score is not None]
    sample = describe(measured, "scores")
    passed = [_pass_decision(passes, position) for position in positions]
    groups = None if clusters is None else [clusters[position] for position in positions]
    interval = mean_interval(measured, groups, level)
    n = len(positions)
    return Summary(
        n=n,
        failed=failed + len(scores) - n,
        skipped=skipped,
        mean=sample.mean if n else None,
        interval=interval,
        pass_rate=sum(passed) / n if n else None,
        pass_interval=clustered_rate_interval(passed, groups, level=level),
        clusters=interval.units,
    )


def _pass_decision(passes: Sequence[bool | None], position: int) -> bool:
    decision = passes[position]
    if decision is None:
        raise ValueError(
            f"passes[{position}] is None although scores[{position}] is a number; give True or False"
        )
    return bool(decision)
