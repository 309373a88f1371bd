"""A report: the results of a run, in input order, and what they amount to."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragstone.case import TestCase
from ragstone.plugins import needs_extra
from ragstone.result import Result, Usage
from ragstone.run import Run
from ragstone.stats.summary import Summary, summarise

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, kw_only=True, repr=False)
class Report:
    """What a run found out.

    Attributes:
        run: the run.
        cases: the test cases that were measured, in input order.
        results: over cases, in input order, of the list over metrics; metrics an interrupted run never came to are
            absent.
        rejected: rows of the dataset that could not be read, with file and line.
        complete: False where the run was interrupted.
        seconds: wall time.
    """

    run: Run
    cases: list[TestCase]
    results: list[list[Result]]
    rejected: list[str] = field(default_factory=list[str])
    complete: bool = True
    seconds: float = 0.0

    def __repr__(self) -> str:
        """Return a short description: a report may hold a great deal."""
        return f"<Report of run {self.run.id}: {len(self.cases)} test cases, {len(self.run.plan.metrics)} metrics>"

    def flat(self) -> Iterator[tuple[TestCase, Result]]:
        """Yield every result with its test case, in input order."""
        for case, results in zip(self.cases, self.results, strict=True):
            for result in results:
                yield case, result

    def by_metric(self) -> dict[str, list[Result]]:
        """Return the results of each metric, by its title, or by its spec where two metrics share a title."""
        by_spec: dict[str, list[Result]] = {}
        for _, result in self.flat():
            by_spec.setdefault(result.spec or result.metric, []).append(result)
        titles = [results[0].metric for results in by_spec.values()]
        return {
            results[0].metric if titles.count(results[0].metric) == 1 else spec: results
            for spec, results in by_spec.items()
        }

    def summary(self) -> dict[str, Summary]:
        """Return for each metric n, failed, skipped, mean and pass rate with their 95 % intervals."""
        return {name: _summarise(results) for name, results in self.by_metric().items()}

    @property
    def usage(self) -> Usage:
        """What was asked of the judge in all."""
        return sum((result.usage for _, result in self.flat()), Usage())

    @property
    def cost(self) -> float | None:
        """US dollars in all; None where a price is not known."""
        costs = [result.evaluation_cost for _, result in self.flat()]
        known = [cost for cost in costs if cost is not None]
        return sum(known) if len(known) == len(costs) else None

    @property
    def exit_code(self) -> int:
        """0 all passed, 1 something scored on the wrong side of its threshold, 3 something could not be measured."""
        results = [result for _, result in self.flat()]
        if self.rejected or not self.complete or any(result.error for result in results):
            return 3
        return 0 if all(result.success or result.skipped for result in results) else 1

    def to_jsonl(self, path: str | Path) -> None:
        """Write one `Result` a line, in input order."""
        from ragstone.reports import jsonl  # noqa: PLC0415  (a rendering imports the report)
        from ragstone.reports._atomic import replacing  # noqa: PLC0415

        with replacing(Path(path)) as file:
            jsonl.write(self, file)

    def to_pandas(self) -> "pd.DataFrame":
        """Return one row a result: the test case's input and id, then the fields of the result.

        Raises:
            MissingExtra: pandas is not installed.
        """
        pandas: Any = needs_extra("Report.to_pandas", "pandas", "pandas")
        return pandas.DataFrame(
            [{"input": case.input, **result.model_dump()} for case, result in self.flat()]
        )

    def to_markdown(self) -> str:
        """Return the summary and the worst cases as Markdown, fit for a pull request."""
        from ragstone.reports.markdown import render  # noqa: PLC0415  (a rendering imports the report)

        return render(self)

    def _repr_html_(self) -> str:
        """Return the report as a notebook shows it."""
        from ragstone.reports.html import fragment  # noqa: PLC0415  (a rendering imports the report)

        return fragment(self)


def _summarise(results: list[Result]) -> Summary:
    measured = [result for result in results if not result.skipped]
    return summarise(
        [result.score for result in measured],
        [result.success if result.score is not None else None for result in measured],
        skipped=len(results) - len(measured),
    )
