"""Execute a run: N workers on one iterator of (test case, metric), failures contained, every step told as an event.

The runner knows none of those who listen. Workers are as many as calls may be in flight; what bounds the calls is the
desk, since one measurement may ask several questions at once. Memory stays bounded: a task is drawn when a worker is
free, and no result is kept here.
"""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import cast

from ragstone.case import TestCase
from ragstone.datasets import BadRow
from ragstone.errors import MissingField, NotApplicable, RunStopped, TimedOut
from ragstone.event import Emit, Measured, RunFinished, RunStarted, Started
from ragstone.judges import Judge
from ragstone.judges._budget import Budget
from ragstone.judges._desk import Desk, Kept
from ragstone.judges._inquiry import Inquiry
from ragstone.judges._limits import Bounds
from ragstone.metrics import Metric
from ragstone.providers._transport import open_transport
from ragstone.providers.batches._dispatch import Dispatch
from ragstone.providers.batches._ledger import Ledger
from ragstone.result import Result
from ragstone.run import Plan, Run
from ragstone.runner._batching import WINDOW, dispatch_of
from ragstone.runner._past import NoPast, Past
from ragstone.runner._repeats import repeatedly
from ragstone.runner._watch import Watch
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
    emit(RunStarted(run, total))
    shift = _Shift(run.plan, emit)
    complete = False
    try:
        dispatch = dispatch_of(run, emit, ledger)
        desk = Desk(
            judge,
            bounds=Bounds(concurrency=run.plan.concurrency, rpm=run.plan.rpm, tpm=run.plan.tpm),
            budget=Budget(run.plan.max_cost, spent=past.spent),
            emit=emit,
            recall=past.recall,
            kept=kept,
            roll=None if dispatch is None else dispatch.roll,
        )
        hands = run.plan.concurrency if dispatch is None else min(WINDOW, total or WINDOW)
        await _work_off(tasks(rows, metrics, emit, past), shift, desk, hands, dispatch)
        complete = not shift.over
    finally:
        emit(RunFinished(run, complete=complete, why=shift.over))


@dataclass
class _Shift:
    """What the workers of a run have in common; `over` says why they go home early."""

    plan: Plan
    emit: Emit
    over: str = ""


async def _work_off(
    work: Iterator[Task], shift: _Shift, desk: Desk, hands: int, dispatch: Dispatch | None
) -> None:
    try:
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
                        group.create_task(_worker(work, desk, shift))
            finally:
                await desk.close()
    except* Exception as errors:  # noqa: BLE001  (raised again, alone)
        raise _first(errors) from None


async def _worker(work: Iterator[Task], desk: Desk, shift: _Shift) -> None:
    for task in work:
        if shift.over:
            return
        shift.emit(Started(task.case_index, task.metric_index, task.case, task.metric.spec))
        try:
            result = await repeatedly(partial(_measure, task, desk, shift.plan), shift.plan.repeats)
        except RunStopped as error:  # what others have in flight is paid for: let it come
            shift.over = str(error)
            return
        shift.emit(Measured(task.case_index, task.metric_index, task.case, result))
        await asyncio.sleep(0)  # a metric that asks nobody must not keep others, or Ctrl-C, from their turn


async def _measure(task: Task, desk: Desk, plan: Plan, repeat: int) -> Result:
    """Measure one task once. The only place that turns exceptions into results."""
    inquiry, start = Inquiry(desk, task.case_index, repeat=repeat), perf_counter()
    limit = asyncio.timeout(None)
    watch = Watch(limit, inquiry, plan.patience)
    try:
        async with limit:
            with desk.at_work():
                return await task.metric.measure_by(inquiry, task.case)
    except RunStopped:
        raise
    except MissingField as error:
        return task.metric.no_result(task.case, inquiry, start, error, skip=plan.skips(task.metric.spec))
    except NotApplicable as error:
        return task.metric.no_result(task.case, inquiry, start, error, skip=True)
    except TimeoutError as error:
        late = TimedOut(f"not measured within {plan.patience:g} s") if limit.expired() else error
        return task.metric.no_result(task.case, inquiry, start, late, skip=False)
    except Exception as error:  # noqa: BLE001  (whatever a metric or a judge of the user's own raises is a result)
        return task.metric.no_result(task.case, inquiry, start, error, skip=False)
    finally:
        watch.stop()


def _first(errors: ExceptionGroup[Exception]) -> Exception:
    """Return one of several errors that ended a run: those that follow say the same."""
    error = errors.exceptions[0]
    return _first(cast("ExceptionGroup[Exception]", error)) if isinstance(error, ExceptionGroup) else error
