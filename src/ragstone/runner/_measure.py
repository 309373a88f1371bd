"""One metric on one test case: the only place that turns exceptions into results."""

import asyncio
from functools import partial
from time import perf_counter

from ragstone.errors import BudgetSpent, MissingField, NotApplicable, TimedOut
from ragstone.judges._desk import Desk
from ragstone.judges._inquiry import Inquiry
from ragstone.result import Result
from ragstone.run import Plan
from ragstone.runner._repeats import repeatedly
from ragstone.runner._watch import Watch
from ragstone.runner._work import Task


async def measured(task: Task, desk: Desk, plan: Plan) -> Result:
    """Return the result of a task, measured as often as the plan says.

    Raises:
        BudgetSpent: what may be spent is spent.
    """
    return await repeatedly(partial(_once, task, desk, plan), plan.repeats)


async def _once(task: Task, desk: Desk, plan: Plan, repeat: int) -> Result:
    inquiry, start = Inquiry(desk, task.case_index, repeat=repeat), perf_counter()
    limit = asyncio.timeout(None)
    watch = Watch(limit, inquiry, plan.patience)
    try:
        async with limit:
            return await task.metric.measure_by(inquiry, task.case)
    except BudgetSpent:
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
