"""Measure: `evaluate` blocks, `aevaluate` is awaited. One implementation behind both."""

import sys
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from ragstone.api._judge import prompt_digests, refuse_unpriced, resolve_judge
from ragstone.api._resume import durable_store, sink_and_resume_request
from ragstone.api._rows import DatasetRows
from ragstone.blocking import run_blocking
from ragstone.datasets import source_name
from ragstone.errors import BadOption
from ragstone.event import EventListener, broadcast
from ragstone.judges import Judge
from ragstone.metrics import Metric
from ragstone.metrics.base.selection import measurable_metrics
from ragstone.reports import Report
from ragstone.reports.clusters import check_cluster
from ragstone.reports.console.notebook import in_notebook
from ragstone.run import OnMissing, Plan, Run
from ragstone.runner import EngineName, get_engine
from ragstone.runner.repeats import checked_repeats
from ragstone.telemetry import observe


async def aevaluate(
    data: object,
    metrics: str | Metric | Iterable[str | Metric] = (),
    *,
    preset: str | Sequence[Metric] | None = None,
    judge: str | Judge | None = None,
    concurrency: int = 16,
    timeout: float = 60.0,  # noqa: ASYNC109  (of each judge call, not of this function)
    measurement_timeout: float | None = None,
    on_missing: OnMissing | None = None,
    limit: int | None = None,
    name: str | None = None,
    tags: Sequence[str] = (),
    repeats: int = 1,
    cluster: str | None = None,
    rpm: float | None = None,
    tpm: float | None = None,
    max_cost: float | None = None,
    cache: bool | str | Path | None = None,
    offline: bool = False,
    store: bool | str | Path | None = None,
    resume: str | None = None,
    retry_failed: bool = False,
    engine: EngineName = "local",
    ray_address: str | None = None,
    ray_workers: int | None = None,
    batch: bool | None = None,
    batch_interval: float | None = None,
    progress: bool | None = None,
    listeners: Sequence[EventListener] = (),
) -> Report:
    """Measure every metric on every test case of a dataset; see `evaluate`."""
    executed = get_engine(engine, address=ray_address, workers=ray_workers)
    sink, resumed = sink_and_resume_request(durable_store(store) if batch else store, resume, retry_failed)
    batch = resumed.batch(batch)
    if batch:
        _refuse_batches_with_engine(engine)
    answering = resolve_judge(resumed.judge(judge), cache, offline=offline, batch=batch)
    rows = DatasetRows(data, limit)
    check_cluster(rows.cases(), cluster)
    requested, optional = resumed.metrics(metrics, preset)
    choice = measurable_metrics(requested, optional, rows.cases(), on_missing or "error")
    plan = Plan(
        metrics=tuple(metric.spec for metric in choice.metrics),
        optional=tuple(metric.spec for metric in optional) if on_missing is None else (),
        judge=answering.name,
        concurrency=concurrency,
        timeout=timeout,
        measurement_timeout=measurement_timeout,
        on_missing=on_missing or "error",
        dataset=source_name(data),
        name=name,
        tags=tuple(tags),
        repeats=checked_repeats(repeats),
        cluster=cluster,
        rpm=rpm,
        tpm=tpm,
        max_cost=max_cost,
        batch=batch,
        batch_interval=batch_interval,
        prompts=prompt_digests(choice, answering),
    )
    observed = observe(answering)
    refuse_unpriced(answering, max_cost)
    run, past = resumed.continue_run(plan) if resumed.run else Run.begin(plan, choice.notes), resumed.past
    total = rows.count(choice)
    await executed(
        run,
        rows,
        choice.metrics,
        observed.judge,
        broadcast(sink, *observed.listeners, *_progress_listeners(progress), *listeners),
        total=total if total is None or past is None else total - past.count,
        resume_state=past,
        flush=sink.flush,
        batch_log=sink.batch_log(run) if batch else None,
    )
    return sink.report()


def evaluate(
    data: object,
    metrics: str | Metric | Iterable[str | Metric] = (),
    *,
    preset: str | Sequence[Metric] | None = None,
    judge: str | Judge | None = None,
    concurrency: int = 16,
    timeout: float = 60.0,
    measurement_timeout: float | None = None,
    on_missing: OnMissing | None = None,
    limit: int | None = None,
    name: str | None = None,
    tags: Sequence[str] = (),
    repeats: int = 1,
    cluster: str | None = None,
    rpm: float | None = None,
    tpm: float | None = None,
    max_cost: float | None = None,
    cache: bool | str | Path | None = None,
    offline: bool = False,
    store: bool | str | Path | None = None,
    resume: str | None = None,
    retry_failed: bool = False,
    engine: EngineName = "local",
    ray_address: str | None = None,
    ray_workers: int | None = None,
    batch: bool | None = None,
    batch_interval: float | None = None,
    progress: bool | None = None,
    listeners: Sequence[EventListener] = (),
) -> Report:
    """Measure every metric on every test case of a dataset; works in a notebook too.

    Args:
        data: test cases or mappings of their fields, a path, `demo`, a data frame or a Hugging Face dataset.
        metrics: metrics, or their specs such as `faithfulness(threshold=0.8)`.
        preset: a group of metrics, such as `rag`, or its metrics as values; those that no test case can feed are left
            out, and where a single test case lacks a field, they are skipped. `rag` where neither metrics nor preset
            are given.
        judge: a judge or its spec; the embedded judge where None: no key is needed and no text leaves the machine.
        concurrency: judge calls in flight at once.
        timeout: seconds for one judge call.
        measurement_timeout: seconds for one metric on one test case; ten times `timeout` where None.
        on_missing: what becomes of a metric on a test case that lacks a field it needs: `error`, `skip`, or `raise`
            before any judge call. None: `error`, for metrics of a preset `skip`.
        limit: most rows of the dataset to read.
        name: what to call the run.
        tags: labels to find the run by in a store.
        repeats: how often each metric measures each test case. The judge is really asked each time, with the same words
            and settings; a result's score is the mean, and `Report.repeats` tells the judge's own spread.
        cluster: key of the test cases' metadata by which they are grouped, such as `document`: answers about one
            document stand or fall together, and intervals that ignore it are too narrow.
        rpm: most judge calls a minute.
        tpm: most tokens a minute, sent and received.
        max_cost: most US dollars that the run may cost; once they are spent it stops, incomplete.
        cache: a file in which the judge's answers are kept and found again; True: the one in the user's cache folder.
        offline: answer from the cache alone; what was not recorded becomes an error, and nothing is sent.
        store: where the run is kept as it goes: a file, `postgresql://user@host/database`, or True for the file in the
            user's data folder. The report then reads its results from there, so that memory stays flat.
        resume: the run to continue: its id, its name, or `last`. What has a result is not measured again, what was
            answered is not asked again. Dataset, metrics and judge are those it was begun with.
        retry_failed: with `resume`, measure again what ended in an error; the new result takes its place, and says in
            `metadata["attempts"]` how often it was tried.
        engine: `local` measures in this process, `ray` on a Ray cluster, with the same results.
        ray_address: the cluster to join, such as `auto` or `10.0.0.1:6379`. None: the one that RAY_ADDRESS names, or
            one that is started for the run.
        ray_workers: processes that measure; one for each core of the cluster where None.
        batch: ask OpenAI or Anthropic in batches: answers come within a day, usually within the hour, at half the
            price. The run is kept in a store (the one in the user's data folder where none is named), so that it can be
            resumed while its batches are with the vendor; resumed, it goes on in batches. `concurrency`, `rpm` and
            `tpm` bound no batch.
        batch_interval: most seconds between two looks at a batch; a minute where None.
        progress: tell on standard error how far the run is; None: only where that is a terminal, or in a notebook,
            under the cell.
        listeners: called with every event of the run.

    Returns:
        The report: results over test cases, in input order, of the list over metrics. A judge's failure becomes
        `Result.error`, a row that cannot be read one of `rejected`.

    Raises:
        UsageError: what was asked for cannot run, and nothing was asked of the judge: an unknown metric, a bad option,
            a dataset that cannot be opened, a field that no test case has.
    """
    return run_blocking(
        partial(
            aevaluate,
            data,
            metrics,
            preset=preset,
            judge=judge,
            concurrency=concurrency,
            timeout=timeout,
            measurement_timeout=measurement_timeout,
            on_missing=on_missing,
            limit=limit,
            name=name,
            tags=tags,
            repeats=repeats,
            cluster=cluster,
            rpm=rpm,
            tpm=tpm,
            max_cost=max_cost,
            cache=cache,
            offline=offline,
            store=store,
            resume=resume,
            retry_failed=retry_failed,
            engine=engine,
            ray_address=ray_address,
            ray_workers=ray_workers,
            batch=batch,
            batch_interval=batch_interval,
            progress=progress,
            listeners=listeners,
        )
    )


def _refuse_batches_with_engine(engine: str) -> None:
    """Refuse batches where another engine than this process is to ask: one process collects all that is asked.

    Raises:
        BadOption: it is another.
    """
    if engine != "local":
        raise BadOption(
            f"batch=True with engine={engine!r}: a batch is collected in one process. Leave one of them out."
        )


def _progress_listeners(progress: bool | None) -> tuple[EventListener, ...]:  # noqa: FBT001  (named by the callers)
    """Return the listener that shows how far the run is, where somebody looks."""
    if not (progress or (progress is None and (sys.stderr.isatty() or in_notebook()))):
        return ()
    from ragstone.reports.console.progress import progress as on  # noqa: PLC0415  (rich is slow to import, and seldom looked at)

    return (on(sys.stderr),)
