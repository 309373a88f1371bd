"""What a comparison shows while its differences are computed: each run's own means, and warnings.

It reads counts that the store keeps, so it takes no longer for larger runs. The means are over all cases of each run:
which cases both have is known only after matching.
"""

from collections.abc import Sequence
from typing import NamedTuple

from ragstone.dashboard.services.comparison import name_of
from ragstone.findings import Report
from ragstone.findings.comparison.findings import caveats
from ragstone.findings.comparison.matching import MatchedCases
from ragstone.findings.view.metric_names import metric_names
from ragstone.store import RunLine, StoredRun

_NO_MATCHES = MatchedCases(pairs=(), by_question=0, only_before=(), only_after=())


class MetricMeans(NamedTuple):
    """One metric in two runs.

    Attributes:
        metric: its title.
        before: mean over all cases of the baseline; None where none has a score.
        after: mean over all cases of the other run.
    """

    metric: str
    before: float | None
    after: float | None


class ComparisonPreview(NamedTuple):
    """The baseline and one other run, before their differences are computed.

    Attributes:
        name: name of the other run.
        warnings: reasons why the comparison may be unfair, as far as the runs alone show.
        metrics: the metrics that both have.
    """

    name: str
    warnings: list[str]
    metrics: list[MetricMeans]


def comparison_previews(runs: Sequence[StoredRun], lines: Sequence[RunLine]) -> list[ComparisonPreview]:
    """Return the preview of each other run with the first."""
    first, old = runs[0], lines[0]
    return [
        ComparisonPreview(
            name_of(stored.run),
            list(caveats(_empty_report(first), _empty_report(stored), _NO_MATCHES)),
            _means(old, line),
        )
        for stored, line in zip(runs[1:], lines[1:], strict=True)
    ]


def _empty_report(stored: StoredRun) -> Report:
    return Report(run=stored.run, cases=[], results=[], complete=stored.state == "complete")


def _means(old: RunLine, new: RunLine) -> list[MetricMeans]:
    before = {line.spec: line.figure.mean for line in old.metrics}
    labels = metric_names(new.metrics)
    return [
        MetricMeans(labels[line.spec], before[line.spec], line.figure.mean)
        for line in new.metrics
        if line.spec in before
    ]
