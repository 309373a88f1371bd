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
from ragstone.errors import RunStopped
from ragstone.event import Emit, Measured, Started
from ragstone.judges import Judge
from ragstone.judges._budget import Budget
from ragstone.judges._desk import Desk, Kept
from ragstone.judges._limits import Bounds
from ragstone.metrics import Metric
from ragstone.providers._transport import open_transport
from ragstone.providers.batches._dispatch import Dispatch
from ragstone.providers.batches._ledger import Ledger
from ragstone.run import Run
from ragstone.runner._batching import WINDOW, dispatch_of
from ragstone.runner._measure import measured
from ragstone.runner._past import NoPast, Past, counted
from ragstone.runner._shift import Shift, shift
from ragstone.runner._work import Task, tasks


async def execute(
    run: Run,
    rows: Iterable[TestCase | BadRow],
    metrics: Sequence[Metric],
    judge: Judge,
    emit: Emit,
    *,
    total: int | None = None,
    past: Past | None = None,
    kept: Kept | None = None,
    ledger: Ledger | None = None,
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
    past = past or NoPast()
    with shift(run, emit, total) as begun:
        dispatch = dispatch_of(run, emit, ledger)
        hands = run.plan.concurrency if dispatch is None else min(WINDOW, total or WINDOW)
        desk = Desk(
            judge,
            bounds=Bounds(concurrency=run.plan.concurrency, rpm=run.plan.rpm, tpm=run.plan.tpm),
            budget=Budget(run.plan.max_cost, spent=past.spent),
            emit=emit,
            recall=past.recall,
            kept=kept,
            roll=None if dispatch is None else dispatch.roll,
        )
        await _work_off(tasks(rows, metrics, emit, past), begun, desk, past, hands=hands, dispatch=dispatch)


async def _work_off(
    work: Iterator[Task], shift: Shift, desk: Desk, past: Past, *, hands: int, dispatch: Dispatch | None
) -> None:
    async with (
        open_transport(
            timeout=shift.plan.timeout,
            on_overload=lambda told: desk.slow_down(told.told),
            dispatch=dispatch,
        ),
        nullcontext() if dispatch is None else dispatch.opened(),
    ):
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(hands):
                    group.create_task(_worker(work, desk, shift, past))
        finally:
            await desk.close()


async def _worker(work: Iterator[Task], desk: Desk, shift: Shift, past: Past) -> None:
    for task in work:
        if shift.over:
            return
        shift.emit(Started(task.case_index, task.metric_index, task.case, task.metric.spec))
        try:
            result = await measured(task, desk, shift.plan)
        except RunStopped as error:  # what others have in flight is paid for: let it come
            shift.over = str(error)
            return
        result = counted(result, past.failures(task.case_index, task.metric_index))
        shift.emit(Measured(task.case_index, task.metric_index, task.case, result))
        await asyncio.sleep(0)  # a metric that asks nobody must not keep others, or Ctrl-C, from their turn
