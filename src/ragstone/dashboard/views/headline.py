"""The headline of a stored run, from the counts that the store keeps: the same sentences as in every report."""

from collections.abc import Mapping

from ragstone.reports.view.headline import RunFacts, Sentence, headline
from ragstone.status import STATUSES, Status
from ragstone.store import MetricLine, RunLine


def line_headline(line: RunLine, rejected: int = 0) -> tuple[Sentence, ...]:
    """Return the headline of a run; none while nothing is measured yet.

    Args:
        line: the run.
        rejected: how many rows of its dataset could not be read.
    """
    state = line.progress.state
    if state == "running" and not line.progress.done:
        return ()
    counts = {metric.spec: _counts(metric) for metric in line.metrics}
    return headline(RunFacts(counts, rejected=rejected, complete=state in ("complete", "running")))


def _counts(metric: MetricLine) -> Mapping[Status | None, int]:
    counts: dict[Status | None, int] = {status: getattr(metric, status) for status in STATUSES}
    return {**counts, None: metric.n - metric.passed - metric.missed - metric.undecided}
