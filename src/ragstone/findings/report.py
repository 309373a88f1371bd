"""A report: the test cases of a run with their results, in input order, and the summary of each metric."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, cast, overload

from ragstone.atomic import atomic_write
from ragstone.case import TestCase
from ragstone.errors import UnknownName
from ragstone.findings import registry
from ragstone.findings.clusters import clusters
from ragstone.metric_label import metric_labels
from ragstone.plugins import import_extra
from ragstone.result import NO_USAGE, Result, SlimResult, Usage
from ragstone.run import Run
from ragstone.status import Status

if TYPE_CHECKING:  # statistics import numpy: a run that only writes its results needs none
    import pandas as pd  # pyright: ignore[reportMissingTypeStubs]  (pandas-stubs is not required)

    from ragstone.stats.figure import Figure
    from ragstone.stats.repeats import Repeats


class EvaluatedCase(NamedTuple):
    """One test case of a report with its results.

    Attributes:
        case: the test case.
        results: its results, one for each metric.
    """

    case: TestCase
    results: Sequence[Result]

    @property
    def id(self) -> str:
        """The test case's id."""
        return self.case.id

    @property
    def input(self) -> str:
        """The test case's input."""
        return self.case.input

    @property
    def failures(self) -> list[Result]:
        """The results that missed their threshold or were not measured."""
        return [result for result in self.results if _is_failure(result)]

    @property
    def passed(self) -> bool:
        """Whether no result missed its threshold and everything was measured."""
        return not self.failures


class MetricResults(Sequence[Result]):
    """The results of one metric in input order.

    Attributes:
        name: name of the metric in its report.
    """

    def __init__(self, name: str, results: Sequence[Result]) -> None:
        self.name = name
        self._results = results

    def __len__(self) -> int:
        return len(self._results)

    @overload
    def __getitem__(self, index: int) -> Result: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Result]: ...
    def __getitem__(self, index: int | slice) -> Result | Sequence[Result]:
        return self._results[index]

    def __repr__(self) -> str:
        return f"<{len(self)} results of {self.name}: mean {self.mean}>"

    @property
    def scores(self) -> list[float | None]:
        """The scores; None where there is none."""
        return [result.score for result in self._results]

    @property
    def mean(self) -> float | None:
        """The mean of the scores over the decided verdicts; None where there is none."""
        return self.summary.mean

    @property
    def failures(self) -> list[Result]:
        """The results that missed their threshold or were not measured."""
        return [result for result in self._results if _is_failure(result)]

    @property
    def passed(self) -> bool:
        """Whether no result missed its threshold and everything was measured."""
        return not self.failures

    @property
    def summary(self) -> "Figure":
        """Counts, mean and pass rate with intervals for independent cases."""
        from ragstone.findings.tallies import ScoreTally  # noqa: PLC0415

        tally = ScoreTally(self.name)
        for result in self._results:
            tally.add(SlimResult.of(result))
        return tally.figure()


@dataclass(frozen=True, kw_only=True, repr=False)
class Report(registry.Renderable):
    """The test cases of a run with their results. A collection: `len(report)` test cases, iterated in input order.

    `report["Faithfulness"]` is the results of one metric, `report[0]` the first test case with its results.
    `print(report)` shows the table of metrics, why measurements failed, and the rows that could not be read.

    Cases and results are sequences: lists, or, for a run in a store, views that read rows on access.

    Attributes:
        run: the run.
        cases: the test cases that were measured, in input order.
        results: for each case, in input order, its results of all metrics; metrics that an interrupted run did not
            reach are absent.
        rejected: rows of the dataset that could not be read, with file and line.
        complete: False where the run was interrupted.
        stopped: why it stopped by itself, such as a spent budget; empty where it did not.
        seconds: wall time.
        unfinished_usage: usage of measurements that were given up when the run stopped.
        unfinished_cost: their cost in US dollars; None if unknown.
        before: the report on the run that a document tells the change against; None without one.
    """

    subject: ClassVar = "run"

    run: Run
    cases: Sequence[TestCase]
    results: Sequence[Sequence[Result]]
    rejected: list[str] = field(default_factory=list[str])
    complete: bool = True
    stopped: str = ""
    seconds: float = 0.0
    unfinished_usage: Usage = NO_USAGE
    unfinished_cost: float | None = 0.0
    before: "Report | None" = field(default=None, compare=False, repr=False)

    def to_html(self) -> str:
        """Return it as one HTML file without external resources."""
        return registry.showing("run_html").render(self)

    def to_json(self) -> str:
        """Return it as a JSON document: run, plan, summary, and every test case with its results."""
        return registry.showing("formats.json").render(self)

    def __repr__(self) -> str:
        return f"<Report of run {self.run.id}: {len(self.cases)} test cases, {len(self.run.plan.metrics)} metrics>"

    def __str__(self) -> str:
        """Return what a terminal shows, without colours and without the worst cases."""
        return registry.showing("render.console").text(registry.showing("run").summary(self))

    def __len__(self) -> int:
        return len(self.cases)

    def __iter__(self) -> Iterator[EvaluatedCase]:
        for case, results in zip(self.cases, self.results, strict=True):
            yield EvaluatedCase(case, results)

    @overload
    def __getitem__(self, key: str) -> MetricResults: ...
    @overload
    def __getitem__(self, key: int) -> EvaluatedCase: ...
    def __getitem__(self, key: str | int) -> MetricResults | EvaluatedCase:
        """Return the results of a metric, by its name or spec; or a test case with its results, by its position.

        Raises:
            UnknownName: the report has no such metric.
            IndexError: there is no such test case.
        """
        if isinstance(key, int):
            return EvaluatedCase(self.cases[key], self.results[key])
        by_name = self.by_metric()
        if key in by_name:
            return MetricResults(key, by_name[key])
        for name, results in by_name.items():
            if key == results[0].spec:
                return MetricResults(name, results)
        raise UnknownName("metric in this report", key, by_name)

    @property
    def passed(self) -> bool:
        """Whether the exit code is 0: something was decided, nothing missed its threshold, and all was measured."""
        return self.exit_code == 0

    @property
    def failures(self) -> list[Result]:
        """The results that missed their threshold or were not measured, in input order."""
        return [result for results in self.results for result in results if _is_failure(result)]

    def save(self, path: str | Path) -> None:
        """Write the report to a file, in the format of its suffix: `.html`, `.md`, `.json`, `.jsonl`, `.csv`, ….

        Raises:
            BadOption: no format has that suffix.
            MissingExtra: the format needs an optional dependency.
            OSError: the file cannot be written.
        """
        registry.write(self, path)

    def flat(self) -> Iterator[tuple[TestCase, Result]]:
        """Yield every result with its test case, in input order."""
        for case, results in zip(self.cases, self.results, strict=True):
            for result in results:
                yield case, result

    def outcomes(self) -> Iterator[SlimResult]:
        """Yield the fields of each result that summaries need, in input order."""
        read = getattr(self.results, "outcomes", None)
        if read is not None:
            yield from read()
            return
        for results in self.results:
            yield from map(SlimResult.of, results)

    def statuses(self) -> set[Status | None]:
        """Return which statuses occur among the results; None stands for a score or a label without a threshold.

        A result without threshold and without score, of which nothing was decided, has none.
        """
        read = getattr(self.results, "statuses", None)
        if read is not None:
            return read()
        return {
            outcome.status
            for outcome in self.outcomes()
            if outcome.status or outcome.score is not None or outcome.label is not None
        }

    def by_metric(self) -> dict[str, list[Result]]:
        """Return the results of each metric, by its label."""
        return {name: list(rows.values()) for name, rows in self.places().items()}

    def by_spec(self) -> dict[str, dict[int, Result]]:
        """Return the results of each metric, by its spec, by the position, from 0, of their test cases."""
        by_spec: defaultdict[str, dict[int, Result]] = defaultdict(dict)
        for position, results in enumerate(self.results):
            for result in results:
                by_spec[result.spec][position] = result
        return dict(by_spec)

    def places(self) -> dict[str, dict[int, Result]]:
        """Return the results of each metric, by its label, by the position, from 0, of their test cases."""
        by_spec = self.by_spec()
        labels = self._labels({spec: next(iter(rows.values())).metric for spec, rows in by_spec.items()})
        return {labels[spec]: rows for spec, rows in by_spec.items()}

    def _labels(self, titles: Mapping[str, str]) -> dict[str, str]:
        """Return the label of each metric by its spec, from the titles of all."""
        return metric_labels(titles.items()) | self.run.plan.labels

    def summary(self, *, cluster: str | None = None) -> "dict[str, Figure]":
        """Return the figure of each metric by its label: counts, mean and pass rate with their 95 % intervals.

        Metrics that were measured only on flagged cases (`Plan.flagged_only`) have none: their mean would be that of
        the bad cases.

        Args:
            cluster: key of the test cases' metadata; cases with the same value count as dependent. None for the key of
                the run's plan.
        """
        from ragstone.findings.tallies import ScoreTally  # noqa: PLC0415

        groups = clusters(self.cases, cluster or self.run.plan.cluster)
        outcomes: Iterable[tuple[SlimResult, Hashable]] = ((outcome, None) for outcome in self.outcomes())
        if groups is not None:
            rows = zip(groups, self.results, strict=True)
            outcomes = ((SlimResult.of(result), group) for group, row in rows for result in row)
        by_spec: dict[str, ScoreTally] = {}
        for outcome, group in outcomes:
            if outcome.spec not in by_spec:
                by_spec[outcome.spec] = ScoreTally(outcome.metric, grouped=groups is not None)
            by_spec[outcome.spec].add(outcome, group)
        labels = self._labels({spec: tally.metric for spec, tally in by_spec.items()})
        left_out = self.run.plan.flagged_only
        return {labels[spec]: tally.figure() for spec, tally in by_spec.items() if spec not in left_out}

    def repeats(self) -> "dict[str, Repeats]":
        """Return the analysis of each metric's repeats: the judge's spread, and every case in input order.

        Empty for a run that measured everything once.
        """
        if self.run.plan.repeats == 1:
            return {}
        from ragstone.stats.repeats import analyse_repeats  # noqa: PLC0415

        groups = clusters(self.cases, self.run.plan.cluster)
        return {
            name: analyse_repeats(
                [repeated_scores(rows.get(position)) for position in range(len(self.cases))],
                threshold=first.cutoff,
                higher_is_better=first.higher_is_better,
                clusters=groups,
            )
            for name, rows in self.places().items()
            for first in [next(iter(rows.values()))]
        }

    @property
    def usage(self) -> Usage:
        """The judge calls and tokens of the whole run, those of measurements that were given up included."""
        names = ("calls", "input_tokens", "output_tokens", "cached_tokens")
        counts = dict.fromkeys(names, 0)
        for outcome in self.outcomes():
            for name in names:
                counts[name] += getattr(outcome, name)
        return self.unfinished_usage + Usage(**counts)

    @property
    def cost(self) -> float | None:
        """US dollars in total; None where a price is not known."""
        total = self.unfinished_cost
        if total is None:
            return None
        for outcome in self.outcomes():
            if outcome.cost is None:
                return None
            total += outcome.cost
        return total

    @property
    def exit_code(self) -> int:
        """0 if all passed, 1 if a score missed its threshold, 3 if something was not measured, or nothing decided.

        With repeats a case passes only where the whole interval of its score does.
        """
        statuses = self.statuses()
        if self.rejected or not self.complete or "not_measured" in statuses:
            return 3
        if not statuses & {"passed", "missed", None}:
            return 3
        if "missed" in statuses:
            return 1
        repeated = [case for analysis in self.repeats().values() for case in analysis.cases if case.n]
        return 0 if all(case.verdict == "pass" for case in repeated) else 1

    def to_jsonl(self, path: str | Path) -> None:
        """Write one `Result` on each line, in input order."""
        with atomic_write(Path(path)) as file:
            registry.showing("formats.jsonl").write(self, file)

    def to_pandas(self) -> "pd.DataFrame":
        """Return one row for each result: the test case's input and id, then the fields of the result.

        Raises:
            MissingExtra: pandas is not installed.
        """
        pandas: Any = import_extra("Report.to_pandas", "pandas", "pandas")
        rows = [{"input": case.input, **result.model_dump()} for case, result in self.flat()]
        return pandas.DataFrame(rows)

    def _repr_html_(self) -> str:
        return registry.showing("run_html").fragment(self)


def repeated_scores(result: Result | None) -> list[float]:
    """Return the scores of each repeat of a result, without those that could not be measured."""
    if result is None:
        return []
    repeats = cast("list[dict[str, Any]]", result.metadata.get("repeats") or [{"score": result.score}])
    return [float(item["score"]) for item in repeats if item.get("score") is not None]


def _is_failure(result: Result) -> bool:
    return result.status in ("missed", "not_measured")
