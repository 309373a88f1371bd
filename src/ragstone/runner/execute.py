"""Execute a run: N workers on one iterator of (test case, metric), failures contained, every step told as an event.

The runner knows none of those who listen. Workers are as many as calls may be in flight; what bounds the calls is the
desk, since one measurement may ask several questions at once. Memory stays bounded: a task is drawn when a worker is
free, and no result is kept here.
"""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext

from ragstone.case import TestCase
from ragstone.datasets import BadRow
from ragstone.engine.budget import Budget
from ragstone.engine.scheduler import Flush, PromptScheduler
from ragstone.errors import RunStopped
from ragstone.event import EventListener, MeasurementFinished, MeasurementStarted
from ragstone.judges import Judge
from ragstone.judges.limits import Bounds
from ragstone.metrics import Metric
from ragstone.providers.batches.log import BatchLog
from ragstone.providers.batches.scheduler import BatchScheduler
from ragstone.providers.http.transport import open_transport
from ragstone.run import Run
from ragstone.runner.batching import WINDOW, batch_scheduler_of
from ragstone.runner.measure import measured
from ragstone.runner.resume import NoResumeState, ResumeState, with_attempts
from ragstone.runner.session import RunSession, run_session
from ragstone.runner.tasks import Task, tasks


async def execute(
    run: Run,
    rows: Iterable[TestCase | BadRow],
    metrics: Sequence[Metric],
    judge: Judge,
    emit: EventListener,
    *,
    total: int | None = None,
    past: ResumeState | None = None,
    kept: Flush | None = None,
    batch_log: BatchLog | None = None,
) -> None:
    """Measure every metric on every test case and tell each result to `emit`, in the order in which they come.

    A judge's or a test case's failure becomes a result without a score; nothing is raised for it. Where the budget is
    spent the run ends, incomplete.

    Args:
        run: the run and its plan.
        rows: the dataset, which may be a stream.
        metrics: what to measure.
        judge: who answers.
        emit: who listens.
        total: how many results will come, None where unknown.
        past: what an interrupted run has done already.
        kept: waits until those who listen have kept what they were told. A call counts as in flight until then, so that
            a run that is killed asks no more again than was in flight.
        ledger: remembers the batches that are submitted, where the plan is to ask in batches.

    Raises:
        StoreError: one who listens cannot keep what it is told.
    """
    past = past or NoResumeState()
    with run_session(run, emit, total) as session:
        batch_scheduler = batch_scheduler_of(run, emit, batch_log)
        hands = run.plan.concurrency if batch_scheduler is None else min(WINDOW, total or WINDOW)
        scheduler = PromptScheduler(
            judge,
            bounds=Bounds(concurrency=run.plan.concurrency, rpm=run.plan.rpm, tpm=run.plan.tpm),
            budget=Budget(run.plan.max_cost, spent=past.spent),
            emit=emit,
            recall=past.recall,
            kept=kept,
            activity=None if batch_scheduler is None else batch_scheduler.activity,
        )
        await _run_tasks(
            tasks(rows, metrics, emit, past),
            session,
            scheduler,
            past,
            hands=hands,
            batch_scheduler=batch_scheduler,
        )


async def _run_tasks(
    work: Iterator[Task],
    session: RunSession,
    scheduler: PromptScheduler,
    past: ResumeState,
    *,
    hands: int,
    batch_scheduler: BatchScheduler | None,
) -> None:
    async with (
        open_transport(
            timeout=session.plan.timeout,
            on_overload=lambda told: scheduler.slow_down(told.told),
            batch_scheduler=batch_scheduler,
        ),
        nullcontext() if batch_scheduler is None else batch_scheduler.opened(),
    ):
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(hands):
                    group.create_task(_worker(work, scheduler, session, past))
        finally:
            await scheduler.close()


async def _worker(
    work: Iterator[Task], scheduler: PromptScheduler, session: RunSession, past: ResumeState
) -> None:
    for task in work:
        if session.stop_reason:
            return
        session.emit(MeasurementStarted(task.case_index, task.metric_index, task.case, task.metric.spec))
        try:
            result = await measured(task, scheduler, session.plan)
        except RunStopped as error:  # what others have in flight is paid for: let it come
            session.stop_reason = str(error)
            return
        result = with_attempts(result, past.failures(task.case_index, task.metric_index))
        session.emit(MeasurementFinished(task.case_index, task.metric_index, task.case, result))
        await asyncio.sleep(0)  # a metric that asks nobody must not keep others, or Ctrl-C, from their turn
