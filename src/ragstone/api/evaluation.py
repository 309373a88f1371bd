"""One evaluation: from the options of a call to the report."""

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from ragstone.api._application import open_application
from ragstone.api._resume import ResumeRequest, find_resumed_run
from ragstone.api._rows import AnsweredRows, DatasetQuestions, DatasetRows
from ragstone.api._selection import (
    answerable,
    check_combination,
    flagged_only,
    prompt_digests,
    prompts_of,
    resolve_judge,
    select_metrics,
    with_details,
    with_tuned_thresholds,
)
from ragstone.api.options import EvaluateOptions, Metrics, StoreOption
from ragstone.blocking import run_blocking
from ragstone.case import TestCase
from ragstone.datasets import source_name
from ragstone.engine.budget import refuse_unpriced
from ragstone.errors import BadOption
from ragstone.event import EventListener, broadcast
from ragstone.findings import Collector, Report
from ragstone.findings.clusters import check_cluster
from ragstone.judges import Judge
from ragstone.metric_label import metric_labels
from ragstone.metrics import Metric
from ragstone.metrics.base.selection import MetricSelection, measurable_metrics
from ragstone.options import RUN_OPTIONS, Batch
from ragstone.prompts import ReviewCase
from ragstone.run import Plan, Run, SweepPlan
from ragstone.runner import RunEstimate, estimate, get_engine
from ragstone.runner.answering import QUESTION, answer_questions
from ragstone.runner.resume import NEW_RUN
from ragstone.show.progress import in_notebook
from ragstone.telemetry import observe

if TYPE_CHECKING:
    from ragstone.api._store_sink import StoreSink

RunSink: TypeAlias = "Collector | StoreSink"
"""Where the results of a run go: memory, or a store. Both receive its events and make its report."""


class RunInterrupted(KeyboardInterrupt):
    """Ctrl-C ended a run.

    Attributes:
        report: the report on the results until then.
        batches: the vendor's ids of batches still in progress, which will be answered and paid for.
    """

    def __init__(self, report: Report, batches: tuple[str, ...] = ()) -> None:
        """Carry the report."""
        super().__init__(f"interrupted: {report.run.id}")
        self.report = report
        self.batches = batches


class Evaluation:
    """A dataset, metrics and options, ready to run."""

    def __init__(
        self,
        data: object,
        metrics: Metrics,
        options: EvaluateOptions,
        *,
        sweep: SweepPlan | None = None,
        dataset: str | None = None,
    ) -> None:
        """Keep the arguments; nothing is read yet.

        A run of a `sweep` may have more rows when it is resumed. `dataset` is the name of the dataset, by default that
        of `data`.
        """
        self._data, self._metrics, self._options = data, metrics, options
        self._sweep, self._dataset = sweep, dataset
        self._sink: RunSink | None = None

    async def run(self) -> Report:
        """Measure everything and return the report."""
        options = self._options
        execute = get_engine(options.engine or "local")
        sink = self._sink = _open_sink(self._store(), resumed=options.resume is not None)
        resumed = find_resumed_run(sink, options)
        engine = resumed.engine(options.engine)
        batch = isinstance(engine, Batch)
        judge = resolve_judge(
            resumed.judge(options.judge), cache=options.cache, offline=options.offline, batch=batch
        )
        combine = resumed.combine(options.combine)
        if combine:
            check_combination(judge, engine)
        dataset = DatasetRows(self._data, options.limit)
        sink.use_dataset(dataset, grows=self._sweep is not None)
        check_cluster(dataset.cases(), options.cluster)
        application = open_application(options, resumed.run.plan if resumed.run else None)
        repeats = resumed.run.plan.app_repeats if resumed.run else options.app_repeats
        cluster = options.cluster or (QUESTION if repeats > 1 else None)
        update = {"combine": combine, "app_repeats": repeats, "cluster": cluster}
        options = options.model_copy(update=update)
        questions = DatasetQuestions(dataset, options.app_repeats)

        def planned(cases: Iterable[TestCase]) -> tuple[Plan, MetricSelection]:
            selection, optional = self._select(resumed, judge, cases)
            plan = plan_of(options, selection, optional, judge, engine=engine)
            app, name = None if application is None else application.name, self._dataset
            facts = {"app": app, "dataset": name or source_name(self._data), "exam": _exam(sink, judge)}
            return plan.model_copy(update={**facts, "sweep": self._sweep}), selection

        plan, selection = planned(dataset.cases() if application is None else questions.cases())
        refuse_unpriced(judge, plan.budget)
        observed = observe(judge)
        emit = broadcast(sink, *observed.listeners, *options.listeners, *_progress_listeners(options))
        run = resumed.continue_run(plan) if resumed.run else Run.begin(plan, selection.notes)
        rows: DatasetRows | AnsweredRows = dataset
        if application is not None:
            answered = sink.answered()
            stopped = await answer_questions(
                run, questions, application, emit, total=questions.total, answered=answered, flush=sink.flush
            )
            if stopped:
                return sink.report()
            rows = AnsweredRows(sink.answers, questions.total)
            plan, selection = planned(rows.cases())
            measured = {name: getattr(plan, name) for name in ("metrics", "labels", "prompts")}
            run = run.model_copy(
                update={"plan": run.plan.model_copy(update=measured), "notes": selection.notes}
            )
        total = rows.count(selection)
        await execute(
            run,
            rows,
            selection.metrics,
            observed.judge,
            emit,
            total=total if total is None or resumed.past is None else total - resumed.past.count,
            resume_state=resumed.past or NEW_RUN,
            flush=sink.flush,
            batch_log=sink.batch_log(run) if batch else None,
        )
        return sink.report()

    def _select(
        self, resumed: ResumeRequest, judge: Judge, cases: Iterable[TestCase]
    ) -> tuple[MetricSelection, tuple[Metric, ...]]:
        """Return the metrics to measure on these test cases, and those of them that belong to a preset."""
        options = self._options
        named, optional = (
            with_tuned_thresholds(metrics, judge)
            for metrics in resumed.metrics(self._metrics, options.preset, options.threshold)
        )
        selection = measurable_metrics(named, optional, cases, options.on_missing or "error")
        selection = answerable(selection, optional, judge)
        if resumed.run is None:
            selection = with_details(selection, options.details)
        return selection, optional

    def interruption(self) -> RunInterrupted | None:
        """Return the exception for Ctrl-C, with the report so far; None if the run had not started."""
        sink = self._sink
        if sink is None or sink.run is None:
            return None
        return RunInterrupted(sink.report(), sink.batches)

    def _store(self) -> StoreOption:
        store = self._options.store
        if not isinstance(self._options.engine, Batch):
            return store
        if store is False:
            raise BadOption(
                "batch=True with store=False: paid batches would be lost if the process ended. Give a store, or leave "
                "store out to use the file in the user's data folder."
            )
        return True if store is None else store


def _open_sink(store: StoreOption, *, resumed: bool) -> RunSink:
    """Return a store if one is named or a run is resumed, else memory."""
    if not resumed and (store is None or store is False):
        return Collector()
    from ragstone.api._store_sink import StoreSink  # noqa: PLC0415  (a run without a store needs no database)

    return StoreSink(store)


def plan_of(
    options: EvaluateOptions,
    selection: MetricSelection,
    optional: Sequence[Metric],
    judge: Judge,
    *,
    engine: object,
) -> Plan:
    """Return the plan of a run with these options, without the names of its dataset and its application."""
    groups = [
        group for group in RUN_OPTIONS if issubclass(Plan, group) and issubclass(EvaluateOptions, group)
    ]
    shared = {name for group in groups for name in group.model_fields} - {"app"}
    names = {prompt.__name__: judge.judge_of(prompt) for prompt in prompts_of(selection)}
    return Plan(
        **options.model_dump(include=shared),
        **options.limits.model_dump(),
        metrics=tuple(metric.spec for metric in selection.metrics),
        labels=metric_labels((metric.spec, metric.full_title) for metric in selection.metrics),
        optional=tuple(metric.spec for metric in optional) if options.on_missing is None else (),
        judge=judge.name,
        on_missing=options.on_missing or "error",
        batch=isinstance(engine, Batch),
        flagged_only=flagged_only(selection) if options.details == "flagged" else (),
        batch_interval=engine.interval if isinstance(engine, Batch) else None,
        judges={prompt: name for prompt, name in sorted(names.items()) if name != judge.name},
        prompts=prompt_digests(selection, judge, combine=options.combine),
    )


def estimate_run(data: object, metrics: Metrics, options: EvaluateOptions) -> RunEstimate:
    """Return the estimate of a run with these options; see `estimate`."""
    if options.app is not None:
        raise BadOption(
            "an estimate needs the answers of the application, which is not called for it: run it with --limit 20 "
            "(limit=20), and estimate that run from its cost"
        )
    batch = isinstance(options.engine, Batch)
    judge = resolve_judge(options.judge, cache=options.cache, offline=False, batch=batch, keyless=True)
    if options.combine:
        check_combination(judge, options.engine)
    rows = DatasetRows(data, options.limit)
    named, optional = select_metrics(metrics, options.preset, options.threshold)
    selection = measurable_metrics(named, optional, rows.cases(), options.on_missing or "error")
    selection = with_details(answerable(selection, optional, judge), options.details)
    plan = plan_of(options, selection, optional, judge, engine=options.engine)
    return run_blocking(estimate, plan, rows, selection.metrics, judge)


def _exam(sink: RunSink, judge: Judge) -> str | None:
    """Return what the judge's last exam showed, or that none is known.

    None for a judge inside this process, and for one that passes on the reviews of which an exam consists.
    """
    if judge.works_offline or judge.judge_of(ReviewCase) != judge.name:
        return None
    unknown = f"No exam of {judge.name} is known here: `ragstone exam` shows what its verdicts are good for."
    return sink.exam_of(judge.name) or unknown


def _progress_listeners(options: EvaluateOptions) -> tuple[EventListener, ...]:
    """Return the listener that shows progress: if requested, and by default on a terminal or in a notebook."""
    requested = options.progress
    if not (requested or (requested is None and (sys.stderr.isatty() or in_notebook()))):
        return ()
    from ragstone.show.progress import progress  # noqa: PLC0415  (rich is slow to import)

    return (progress(sys.stderr),)
