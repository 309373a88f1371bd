"""A report: the results of a run, in input order, and what they amount to."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragstone.case import TestCase
from ragstone.plugins import import_extra
from ragstone.reports.clusters import clusters
from ragstone.reports.tallies import summaries
from ragstone.result import Result, SlimResult, Usage
from ragstone.run import Run
from ragstone.stats.repeats import Repeats
from ragstone.stats.summary import Summary, summarise

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, kw_only=True, repr=False)
class Report:
    """What a run found out.

    Cases and results are sequences: lists, or, for a run in a store, views that read what is looked at.

    Attributes:
        run: the run.
        cases: the test cases that were measured, in input order.
        results: over cases, in input order, of the list over metrics; metrics an interrupted run never came to are
            absent.
        rejected: rows of the dataset that could not be read, with file and line.
        complete: False where the run was interrupted.
        stopped: why it stopped by itself, such as a spent budget; empty where it did not.
        seconds: wall time.
    """

    run: Run
    cases: Sequence[TestCase]
    results: Sequence[Sequence[Result]]
    rejected: list[str] = field(default_factory=list[str])
    complete: bool = True
    stopped: str = ""
    seconds: float = 0.0

    def __repr__(self) -> str:
        """Return a short description: a report may hold a great deal."""
        return f"<Report of run {self.run.id}: {len(self.cases)} test cases, {len(self.run.plan.metrics)} metrics>"

    def flat(self) -> Iterator[tuple[TestCase, Result]]:
        """Yield every result with its test case, in input order."""
        for case, results in zip(self.cases, self.results, strict=True):
            for result in results:
                yield case, result

    def outcomes(self) -> Iterator[SlimResult]:
        """Yield what sums and shares are made of, a result at a time, in input order."""
        own = getattr(self.results, "outcomes", None)
        if own is not None:
            yield from own()
            return
        for results in self.results:
            yield from map(SlimResult.of, results)

    def by_metric(self) -> dict[str, list[Result]]:
        """Return the results of each metric, by its title, or by its spec where two metrics share a title."""
        return {name: list(rows.values()) for name, rows in self.places().items()}

    def places(self) -> dict[str, dict[int, Result]]:
        """Return the same with the place, from 0, of each result's test case."""
        by_spec: dict[str, dict[int, Result]] = {}
        for number, results in enumerate(self.results):
            for result in results:
                by_spec.setdefault(result.spec or result.metric, {})[number] = result
        titles = {spec: next(iter(rows.values())).metric for spec, rows in by_spec.items()}
        taken = list(titles.values())
        return {
            titles[spec] if taken.count(titles[spec]) == 1 else spec: rows for spec, rows in by_spec.items()
        }

    def summary(self, *, cluster: str | None = None) -> dict[str, Summary]:
        """Return for each metric n, failed, skipped, mean and pass rate with their 95 % intervals.

        Args:
            cluster: key of the test cases' metadata; cases with the same value count as dependent. None: as the run
                was asked for.
        """
        groups = clusters(self.cases, cluster or self.run.plan.cluster)
        if groups is None:
            return dict(summaries(self.outcomes()))
        return {name: _summarise(rows, groups) for name, rows in self.places().items()}

    def repeats(self) -> dict[str, Repeats]:
        """Return for each metric what its repeats tell, case by case in input order: the judge's spread and the cases'.

        Empty for a run that measured everything once.
        """
        from ragstone.reports.view.repeats import repeats_by_metric  # noqa: PLC0415  (a part of the report, read when asked for)

        return repeats_by_metric(self)

    @property
    def usage(self) -> Usage:
        """What was asked of the judge in all."""
        counts = [0, 0, 0, 0]
        for outcome in self.outcomes():
            for position, count in enumerate(outcome[-4:]):
                counts[position] += count
        calls, input_tokens, output_tokens, cached_tokens = counts
        return Usage(
            calls=calls, input_tokens=input_tokens, output_tokens=output_tokens, cached_tokens=cached_tokens
        )

    @property
    def cost(self) -> float | None:
        """US dollars in all; None where a price is not known."""
        total = 0.0
        for outcome in self.outcomes():
            if outcome.cost is None:
                return None
            total += outcome.cost
        return total

    @property
    def exit_code(self) -> int:
        """0 all passed, 1 something scored on the wrong side of its threshold, 3 something could not be measured.

        With repeats a case passes only where the whole interval of its score does.
        """
        seen = {outcome.status for outcome in self.outcomes()}
        if self.rejected or not self.complete or "ERROR" in seen:
            return 3
        if "FAIL" in seen:
            return 1
        repeated = [case for found in self.repeats().values() for case in found.cases if case.n]
        return 0 if all(case.verdict == "pass" for case in repeated) else 1

    def to_jsonl(self, path: str | Path) -> None:
        """Write one `Result` a line, in input order."""
        from ragstone.reports.formats import jsonl  # noqa: PLC0415  (a rendering imports the report)
        from ragstone.reports.formats.atomic import atomic_write  # noqa: PLC0415

        with atomic_write(Path(path)) as file:
            jsonl.write(self, file)

    def to_pandas(self) -> "pd.DataFrame":
        """Return one row a result: the test case's input and id, then the fields of the result.

        Raises:
            MissingExtra: pandas is not installed.
        """
        pandas: Any = import_extra("Report.to_pandas", "pandas", "pandas")
        return pandas.DataFrame(
            [{"input": case.input, **result.model_dump()} for case, result in self.flat()]
        )

    def to_markdown(self) -> str:
        """Return the summary and the worst cases as Markdown, fit for a pull request."""
        from ragstone.reports.formats.markdown import render  # noqa: PLC0415  (a rendering imports the report)

        return render(self)

    def _repr_html_(self) -> str:
        """Return the report as a notebook shows it."""
        from ragstone.reports.html.report import fragment  # noqa: PLC0415  (a rendering imports the report)

        return fragment(self)


def _summarise(rows: Mapping[int, Result], groups: Sequence[Hashable]) -> Summary:
    measured = {number: result for number, result in rows.items() if not result.skipped}
    return summarise(
        [result.score for result in measured.values()],
        [result.success if result.score is not None else None for result in measured.values()],
        skipped=len(rows) - len(measured),
        clusters=[groups[number] for number in measured],
    )
