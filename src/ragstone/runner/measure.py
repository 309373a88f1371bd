"""One metric on one test case: the only place that turns exceptions into results."""

import asyncio
from functools import partial
from time import perf_counter

from ragstone.engine.context import MetricContext
from ragstone.engine.scheduler import PromptScheduler
from ragstone.errors import MissingField, NotApplicable, RunStopped, TimedOut
from ragstone.result import Result
from ragstone.run import Plan
from ragstone.runner.repeats import measure_repeatedly
from ragstone.runner.tasks import Task
from ragstone.runner.timeout import MeasurementTimeout


async def measured(task: Task, scheduler: PromptScheduler, plan: Plan) -> Result:
    """Return the result of a task, measured as often as the plan says.

    Raises:
        RunStopped: the run cannot go on now.
    """
    return await measure_repeatedly(partial(_once, task, scheduler, plan), plan.repeats)


async def _once(task: Task, scheduler: PromptScheduler, plan: Plan, repeat: int) -> Result:
    ctx, start = MetricContext(scheduler, task.case_index, repeat=repeat), perf_counter()
    limit = asyncio.timeout(None)
    timeout = MeasurementTimeout(limit, ctx, plan.patience)
    try:
        async with limit:
            with scheduler.active_measurement():
                return await task.metric.measure_by(ctx, task.case)
    except RunStopped:
        raise
    except MissingField as error:
        return task.metric.no_result(task.case, ctx, start, error, skip=plan.skips(task.metric.spec))
    except NotApplicable as error:
        return task.metric.no_result(task.case, ctx, start, error, skip=True)
    except TimeoutError as error:
        late = TimedOut(f"not measured within {plan.patience:g} s") if limit.expired() else error
        return task.metric.no_result(task.case, ctx, start, late, skip=False)
    except Exception as error:  # noqa: BLE001  (whatever a metric or a judge of the user's own raises is a result)
        return task.metric.no_result(task.case, ctx, start, error, skip=False)
    finally:
        timeout.stop()
