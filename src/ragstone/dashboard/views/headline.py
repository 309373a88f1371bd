"""The headline of a stored run, from the counts that the store keeps: the same sentences as in every report."""

from ragstone.findings.view.headline import RunFacts, Sentence, headline
from ragstone.stats.figure import Figure
from ragstone.status import Status
from ragstone.store import RunLine


def line_headline(line: RunLine, rejected: int = 0, breaks: str = "") -> tuple[Sentence, ...]:
    """Return the headline of a run; none while nothing is measured yet.

    Args:
        line: the run.
        rejected: how many rows of its dataset could not be read.
        breaks: the sentence about the conversations of which a turn misses.
    """
    state = line.progress.state
    if state == "running" and not line.progress.done:
        return ()
    counts = {metric.spec: _counts(metric.figure) for metric in line.metrics}
    complete = state in ("complete", "running")
    return headline(RunFacts(counts, rejected=rejected, complete=complete, breaks=breaks))


def _counts(figure: Figure) -> dict[Status | None, int]:
    if figure.low is None:
        return {**figure.counts, None: figure.decided}
    return {**figure.counts, None: 0 if figure.has_threshold or figure.mean is None else figure.n}
