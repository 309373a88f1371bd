"""Execute a run: N workers on one iterator of (test case, metric), failures contained, every step told as an event.

The runner knows none of those who listen. Workers are as many as calls may be in flight; what bounds the calls is the
desk, since one measurement may ask several questions at once. Memory stays bounded: a task is drawn when a worker is
free, and no result is kept here.
"""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from time import perf_counter

from ragstone.case import TestCase
from ragstone.datasets import BadRow
from ragstone.errors import MissingField, NotApplicable, TimedOut
from ragstone.event import Emit, Measured, RunFinished, RunStarted, Started
from ragstone.judges import Judge
from ragstone.judges._desk import Desk
from ragstone.judges._inquiry import Inquiry
from ragstone.metrics import Metric
from ragstone.providers._transport import open_transport
from ragstone.result import Result
from ragstone.run import Plan, Run
from ragstone.runner._work import Task, tasks


async def execute(
    run: Run,
    rows: Iterable[TestCase | BadRow],
    metrics: Sequence[Metric],
    judge: Judge,
    emit: Emit,
    *,
    total: int | None = None,
) -> None:
    """Measure every metric on every test case and tell each result to `emit`, in the order in which they come.

    A judge's or a test case's failure becomes a result without a score; nothing is raised for it.

    Args:
        run: the run and its plan.
        rows: the dataset, which may be a stream.
        metrics: what to measure.
        judge: who answers.
        emit: who listens.
        total: how many results will come, None where unknown.
    """
    emit(RunStarted(run, total))
    complete = False
    try:
        async with open_transport(timeout=run.plan.timeout):
            desk = Desk(judge, concurrency=run.plan.concurrency, emit=emit)
            try:
                await _work_off(tasks(rows, metrics, emit), desk, run.plan, emit)
            finally:
                await desk.close()
        complete = True
    finally:
        emit(RunFinished(run, complete=complete))


async def _work_off(work: Iterator[Task], desk: Desk, plan: Plan, emit: Emit) -> None:
    async with asyncio.TaskGroup() as group:
        for _ in range(plan.concurrency):
            group.create_task(_worker(work, desk, plan, emit))


async def _worker(work: Iterator[Task], desk: Desk, plan: Plan, emit: Emit) -> None:
    for task in work:
        emit(Started(task.case_index, task.metric_index, task.case, repr(task.metric)))
        result = await _measure(task, desk, plan)
        emit(Measured(task.case_index, task.metric_index, task.case, result))
        await asyncio.sleep(0)  # a metric that asks nobody must not keep others, or Ctrl-C, from their turn


async def _measure(task: Task, desk: Desk, plan: Plan) -> Result:
    """Measure one task. The only place that turns exceptions into results."""
    inquiry, start = Inquiry(desk), perf_counter()
    limit = asyncio.timeout(plan.patience)
    try:
        async with limit:
            return await task.metric.measure_by(inquiry, task.case)
    except MissingField as error:
        return task.metric.no_result(task.case, inquiry, start, error, skip=plan.skips(repr(task.metric)))
    except NotApplicable as error:
        return task.metric.no_result(task.case, inquiry, start, error, skip=True)
    except TimeoutError as error:
        late = TimedOut(f"not measured within {plan.patience:g} s") if limit.expired() else error
        return task.metric.no_result(task.case, inquiry, start, late, skip=False)
    except Exception as error:  # noqa: BLE001  (whatever a metric or a judge of the user's own raises is a result)
        return task.metric.no_result(task.case, inquiry, start, error, skip=False)
