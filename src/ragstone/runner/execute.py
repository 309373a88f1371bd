"""Execute a run in this process: N workers draw tasks from one iterator, and every step is emitted as an event.

There are as many workers as judge calls may be in flight. The prompt scheduler bounds the calls themselves, since one
measurement may ask several prompts at once. Memory stays bounded: a task is drawn when a worker is free, and no result
is stored here.

A run in batches has as many measurements under way as memory allows (`BATCH_WINDOW`), so that one stage of all of them
is one batch: a metric that asks three times in a row, over a dataset that fits the window, makes three batches.
"""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING

from ragstone.case import TestCase
from ragstone.datasets import BadRow
from ragstone.engine.budget import Budget
from ragstone.engine.scheduler import Flush, PromptScheduler
from ragstone.event import EventListener, JudgeWaiting
from ragstone.judges import Judge
from ragstone.judges.limits import RateBounds
from ragstone.judges.local.workers.pool import open_workers
from ragstone.metrics import Metric
from ragstone.providers.batches.log import BatchLog
from ragstone.providers.http.server_state import Silence
from ragstone.providers.http.transport import open_transport
from ragstone.run import Run
from ragstone.runner.measure import run_task
from ragstone.runner.resume import NEW_RUN, ResumeState
from ragstone.runner.session import RunSession, run_session
from ragstone.runner.tasks import Task, by_case, tasks

if TYPE_CHECKING:
    from ragstone.providers.batches.scheduler import BatchScheduler

BATCH_WINDOW = 5_000  # measurements under way at once in a run that asks in batches


async def execute(
    run: Run,
    rows: Iterable[TestCase | BadRow],
    metrics: Sequence[Metric],
    judge: Judge,
    emit: EventListener,
    *,
    total: int | None = None,
    resume_state: ResumeState = NEW_RUN,
    flush: Flush | None = None,
    batch_log: BatchLog | None = None,
) -> None:
    """Measure every metric on every test case and emit each result, in the order in which they are finished.

    A failure of a judge or a test case becomes a result without a score and raises nothing. When the budget is spent,
    the run ends incomplete.

    Args:
        run: the run and its plan.
        rows: the dataset, which may be a stream.
        metrics: what to measure.
        judge: the judge to ask.
        emit: receives each event.
        total: the number of results to come, None where unknown.
        resume_state: what an interrupted run has done already.
        flush: waits until the listeners have stored what was emitted. A call counts as in flight until then, so that
            resuming a killed run repeats no more calls than were in flight.
        batch_log: stores the submitted batches, where the plan is to ask in batches.

    Raises:
        StoreError: a listener cannot store an event.
    """
    plan = run.plan
    batches = _batch_scheduler(run, batch_log, emit) if plan.batch else None
    workers = plan.concurrency if batches is None else min(BATCH_WINDOW, total or BATCH_WINDOW)
    with run_session(run, emit, total, resume_state) as session:
        scheduler = PromptScheduler(
            judge,
            bounds=RateBounds(concurrency=plan.concurrency, rpm=plan.rpm, tpm=plan.tpm),
            budget=Budget(plan.budget, spent=resume_state.spent),
            emit=emit,
            recall=resume_state.recall,
            flush=flush,
            activity=None if batches is None else batches.activity,
            combine=plan.combine,
        )
        work = tasks(rows, metrics, emit, resume_state)
        cases = by_case(work)
        async with (
            open_transport(
                timeout=plan.timeout,
                on_overload=lambda overload: scheduler.slow_down(overload.retry_after),
                on_silence=lambda silence: emit(waiting_for(silence)),
                batch_scheduler=batches,
            ),
            nullcontext() if batches is None else batches.opened(),
            open_workers(plan.workers, at_most=plan.concurrency),
        ):
            try:
                async with asyncio.TaskGroup() as group:
                    for _ in range(workers):
                        group.create_task(
                            _run_case_worker(cases, group, scheduler, session)
                            if plan.combine
                            else _run_worker(work, scheduler, session)
                        )
            finally:
                await scheduler.close()


def waiting_for(silence: Silence) -> JudgeWaiting:
    """Return the event for a server that answers nobody."""
    judge = f"{silence.provider}:{silence.model}"
    return JudgeWaiting(judge, silence.seconds, silence.cause, silence.waiting, silence.limit)


def _batch_scheduler(run: Run, batch_log: BatchLog | None, emit: EventListener) -> "BatchScheduler":
    from ragstone.providers.batches.scheduler import INTERVAL, BatchScheduler  # noqa: PLC0415  (few runs need it)

    interval = run.plan.batch_interval or INTERVAL
    return BatchScheduler(run.id, batch_log=batch_log, interval=interval, emit=emit)


async def _run_worker(work: Iterator[Task], scheduler: PromptScheduler, session: RunSession) -> None:
    for task in work:
        if session.stop_reason:
            return
        await run_task(task, scheduler, session.plan, session)
        # Each measurement is a task of its own, so a metric that asks no judge blocks neither the others nor Ctrl-C.


async def _run_case_worker(
    work: Iterator[Sequence[Task]],
    group: asyncio.TaskGroup,
    scheduler: PromptScheduler,
    session: RunSession,
) -> None:
    """Measure all metrics of a test case at once, so that their prompts wait at the same moment."""
    for case_tasks in work:
        if session.stop_reason:
            return
        workers = [_run_worker(iter((task,)), scheduler, session) for task in case_tasks]
        await asyncio.wait([group.create_task(worker) for worker in workers])
