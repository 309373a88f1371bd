"""The scores of a run as arrays, and the texts of its test cases where they are needed.

Two runs of 100,000 results are compared by a few arrays. The store fills them from the columns that hold a score, and
reads a question or a reason only for test cases that are shown.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ragstone.case import TestCase
from ragstone.findings.report import Report
from ragstone.result import Result
from ragstone.stats.metric_scores import MetricScores

if TYPE_CHECKING:  # a comparison of files needs no database
    from ragstone.store import ScoreTable

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class RunScores:
    """The scores of a run.

    Attributes:
        report: the run.
        case_ids: ids of its test cases, in input order.
        metrics: its metrics by spec, in order of appearance.
        table: the same scores as the store returned them; None for a report in memory.
    """

    report: Report
    case_ids: Sequence[str]
    metrics: Mapping[str, MetricScores]
    table: "ScoreTable | None" = None

    @classmethod
    def of(cls, report: Report) -> "RunScores":
        """Return the scores of a report."""
        read_table = getattr(report.results, "score_table", None)
        table = None if read_table is None else read_table(report.cases)
        if table is not None:
            return cls(report, table.case_ids, table.metrics, table)
        metrics = {spec: _metric_scores(rows, len(report.cases)) for spec, rows in report.by_spec().items()}
        return cls(report, [case.id for case in report.cases], metrics)

    @property
    def case_indices(self) -> NDArray[np.int64]:
        """The place of each test case in its run: those in the store have gaps where a run was interrupted."""
        return np.arange(len(self.case_ids), dtype=np.int64) if self.table is None else self.table.indices

    def cases(self, places: Iterable[int]) -> list[TestCase]:
        """Return the test cases at some places."""
        return self._items_at(self.report.cases, places)

    def results(self, places: Iterable[int], spec: str) -> list[Result | None]:
        """Return the results of a metric at some places."""
        return [
            next((result for result in reversed(row) if result.spec == spec), None)
            for row in self._items_at(self.report.results, places)
        ]

    def beginnings(self, places: Iterable[int]) -> list[str]:
        """Return at least the first 500 characters of the questions at some places."""
        if self.table is None:
            return [case.input for case in self.cases(places)]
        stored: Any = self.report.cases
        return stored.beginnings(self.table.indices[list(places)].tolist())

    def _items_at(self, values: Sequence[T], places: Iterable[int]) -> list[T]:
        if self.table is None:
            return [values[place] for place in places]
        stored: Any = values
        return stored.at(self.table.indices[list(places)].tolist())


def _metric_scores(rows: Mapping[int, Result], case_count: int) -> MetricScores:
    first = next(iter(rows.values()))
    metric_scores = MetricScores.unmeasured(
        first.metric,
        first.spec,
        threshold=first.threshold,
        higher_is_better=first.higher_is_better,
        cases=case_count,
        categories=first.categories,
    )
    results = list(rows.values())
    metric_scores.fill(
        list(rows),
        scores=[result.score for result in results],
        lows=[result.low for result in results],
        highs=[result.high for result in results],
        statuses=[result.status for result in results],
        labels=[result.label for result in results],
    )
    return metric_scores
