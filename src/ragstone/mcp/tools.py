"""The tools: one method each. Their docstrings and the descriptions of their parameters are what a model reads."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from ragstone.errors import BadOption, UnknownName
from ragstone.findings import Report
from ragstone.findings.comparison import compare
from ragstone.findings.diagnosis import explain
from ragstone.findings.diagnosis.checks import with_annotations
from ragstone.findings.load import load_report
from ragstone.findings.stored import report_from_store
from ragstone.mcp import reading, results
from ragstone.mcp.estimates import Estimates, Folder
from ragstone.store import CaseQuery, RunQuery, Store

_FILES = (".json", ".jsonl", ".csv")


def _told(most: int, description: str) -> Any:  # noqa: ANN401  (as pydantic's `Field`)
    return Field(max_length=most, description=description)


RunName = Annotated[str, _told(300, "A run: its id, its name, a baseline's name, or `last`.")]
RunOrFile = Annotated[
    str,
    _told(1_000, "A run (id, name, baseline or `last`), or a file of results in the folder."),
]
Spec = Annotated[str, _told(4_000, "A metric's spec, such as `faithfulness`; empty: all.")]
_MOST = 2**53
Limit = Annotated[int, Field(ge=1, le=50, description="Most entries to return.")]


class Tools:
    """What a client may do: read runs, and start runs that were estimated if the server may write."""

    def __init__(
        self, store: Callable[[], Store], folder: Folder, estimates: Estimates, *, write: bool
    ) -> None:
        """Read from `store()` and from files of `folder`; start runs only with `write`."""
        self._store = store
        self._folder = folder
        self._estimates = estimates
        self._write = write

    def runs(  # noqa: PLR0917  (the SDK passes them by name)
        self,
        text: Annotated[str, _told(300, "Part of the id, name, dataset or judge.")] = "",
        tag: Annotated[str, _told(200, "A tag that the run has.")] = "",
        metric: Annotated[str, _told(300, "Part of the name of a metric of the run.")] = "",
        state: Literal["", "running", "silent", "complete", "incomplete"] = "",
        limit: Limit = 10,
        offset: Annotated[int, Field(ge=0, le=_MOST, description="Runs to skip, the latest first.")] = 0,
    ) -> results.RunsAnswer:
        """List the stored runs, the latest first, with the figures of their metrics. Empty filters match all runs."""
        query = RunQuery(text=text, tag=tag, metric=metric, state=state, limit=limit, offset=offset)
        page = self._store().history(query)
        return results.RunsAnswer(count=page.count, runs=tuple(map(reading.run_of, page.lines)))

    def worst(
        self,
        run: RunName = "last",
        metric: Spec = "",
        status: Literal["missed", "undecided", "not_measured"] = "missed",
        limit: Limit = 5,
    ) -> results.WorstAnswer:
        """Show the figures of a run and its worst cases. `case` with a number shows one of them whole."""
        store = self._store()
        stored = store.find(run)
        if metric and metric not in stored.run.plan.metrics:
            raise UnknownName("metric in that run", metric, stored.run.plan.metrics)
        table = store.table(stored)
        page = table.page(CaseQuery(sort="worst", status=status, metric=metric, limit=limit))
        reasons = table.reasons([line.case_index for line in page.lines])
        cases = [reading.worst_case_of(line, reasons.get(line.case_index, "")) for line in page.lines]
        return results.WorstAnswer(
            run=reading.run_of(store.line(stored)), count=page.count, cases=tuple(cases)
        )

    def case(
        self,
        run: RunName,
        number: Annotated[
            int | None, Field(ge=1, le=_MOST, description="Its place in the run, from 1.")
        ] = None,
        case_id: Annotated[str, _told(1_000, "Its id, instead of the number.")] = "",
    ) -> results.CaseAnswer:
        """Show one test case: question, answer, passages, and each metric's verdicts with the reasons of the judge."""
        store = self._store()
        stored = store.find(run)
        if number is None:
            found = store.table(stored).page(CaseQuery(text=case_id, limit=None)).lines if case_id else ()
            number = next((line.case_index + 1 for line in found if line.case_id == case_id), None)
        if number is None:
            raise BadOption("No case of that run is named: give its number, or the id of one of its cases")
        return reading.case_of(stored.run.id, store.case(stored, number - 1))

    def compare(self, before: RunOrFile, after: RunOrFile = "last") -> results.ComparisonAnswer:
        """Compare two runs over the same cases: what got better or worse, with intervals, and which cases flipped.

        Only `verdict` may be reported as a change: a difference whose verdict is `no difference shown` may be chance.
        """
        return reading.comparison_of(compare(self._report(before), self._report(after)))

    def explain(self, run: RunName = "last") -> results.ExplanationAnswer:
        """Find the cause of each miss of a run: retriever, generator, corpus or test set. No judge is called."""
        store = self._store()
        stored = store.find(run)
        found = explain(report_from_store(store, stored))
        annotations = store.annotations.of(stored.number)
        return reading.explanation_of(with_annotations(found, annotations, store.cases(stored).places()))

    def metrics(
        self,
        name: Annotated[str, _told(200, "A metric to explain; empty: list all.")] = "",
    ) -> results.MetricsAnswer:
        """List the metrics with what they ask, need and cost in judge calls; with `name`, explain one in full."""
        return reading.metrics_of(name)

    def estimate(  # noqa: PLR0917  (likewise)
        self,
        dataset: Annotated[str, _told(1_000, "A dataset in the folder, or `demo`.")],
        metrics: Annotated[list[str], _told(60, "Specs of metrics; see `metrics`.")] = [],  # noqa: B006  (the SDK copies it)
        preset: Annotated[str | None, _told(200, "A group of metrics, such as `rag`.")] = None,
        judge: Annotated[str | None, _told(200, "The judge; default: as configured.")] = None,
        limit: Annotated[int | None, Field(ge=1, description="Measure only the first cases.")] = None,
        name: Annotated[str | None, _told(200, "A name for the run.")] = None,
    ) -> results.EstimateAnswer:
        """Estimate calls, tokens and cost of a run; nothing is sent. Show it to the user before you call `run`."""
        choice = {"metrics": metrics, "preset": preset, "judge": judge, "limit": limit, "name": name}
        return self._estimates.estimate(dataset, choice)

    def run(
        self, estimate: Annotated[str, _told(40, "The id that `estimate` returned.")]
    ) -> results.StartedAnswer:
        """Start the run that was estimated. Needs a server that was started with --write; it may spend money."""
        if not self._write:
            raise BadOption(
                "This server is read-only: no run was started. The user can start it with `ragstone mcp --write`"
            )
        return results.StartedAnswer(run=self._estimates.start(estimate))

    def _report(self, name: str) -> Report:
        if Path(name).suffix.lower() in _FILES:
            return load_report(self._folder.file(name))
        store = self._store()
        return report_from_store(store, store.find(name))
