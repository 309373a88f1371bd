"""What a cascade of judges saves, and what that costs in accuracy.

A random part of the cases is measured again by the last judge alone. Its scores correct the mean of the cascade's, as a
few labels of people correct a judge's mean (`stats.ppi`).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ragstone.findings.registry import Renderable
from ragstone.findings.report import Report
from ragstone.result import Result
from ragstone.stats.ppi import CorrectedMean, ppi_mean

_MIN_CHECKED = 2


@dataclass(frozen=True, slots=True)
class CheckedMetric:
    """One metric by the cascade, and by the last judge alone."""

    name: str  # display name of the metric
    checked: int  # cases that both measured
    differing: int  # those of them whose status differs
    # the mean over all cases, corrected by the last judge; None with fewer than two scores of both
    corrected: CorrectedMean | None


@dataclass(frozen=True, kw_only=True, repr=False)
class CascadeCheck(Renderable):
    """A cascade of judges compared with its last judge."""

    subject: ClassVar = "cascade_check"

    report: Report  # the run of the cascade
    alone: Report  # the run of the last judge over the checked cases
    decided: Mapping[str, int]  # number of items that each judge decided
    metrics: tuple[CheckedMetric, ...]  # each metric

    @property
    def calls(self) -> tuple[float, float]:
        """Calls a case, without those of embedded judges: by the cascade, and by the last judge alone."""
        cascade, alone = (r.usage.calls / max(1, len(r.cases)) for r in (self.report, self.alone))
        return cascade, alone

    @property
    def exit_code(self) -> int:
        """3 if something was not measured or read, otherwise 0."""
        runs = self.report, self.alone
        failed = any(result.status == "not_measured" for run in runs for _, result in run.flat())
        return 3 if failed or self.report.rejected or not all(run.complete for run in runs) else 0


def cascade_check(report: Report, alone: Report, places: Sequence[int]) -> CascadeCheck:
    """Compare the run of a cascade with that of its last judge alone over the cases at these places, from 0."""
    decided = Counter[str]()
    for _, result in report.flat():
        decided.update(result.metadata.get("judges", {}))
    last = alone.places()
    metrics = tuple(_checked_metric(name, rows, last[name], places) for name, rows in report.places().items())
    return CascadeCheck(report=report, alone=alone, decided=decided, metrics=metrics)


def _checked_metric(
    name: str, rows: Mapping[int, Result], last: Mapping[int, Result], places: Sequence[int]
) -> CheckedMetric:
    shared = ((row, place) for row, place in enumerate(places) if row in last and place in rows)
    both = {place: (last[row], rows[place]) for row, place in shared}
    scored = {
        place: (truth.score, judged.score)
        for place, (truth, judged) in both.items()
        if truth.score is not None and judged.score is not None
    }
    rest = [result.score for place, result in rows.items() if place not in both and result.score is not None]
    corrected = None
    if len(scored) >= _MIN_CHECKED and rest:
        truths, judgements = zip(*scored.values(), strict=True)
        corrected = ppi_mean(truths, judgements, rest)
    differing = sum(truth.status != judged.status for truth, judged in both.values())
    return CheckedMetric(name, len(both), differing, corrected)
