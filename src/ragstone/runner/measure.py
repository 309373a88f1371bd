"""Measure one task. Only this module turns exceptions into results and enforces the time-out of a measurement.

Every worker of a run, in this process or in another, measures its tasks by `run_task`.
"""

import asyncio
from collections.abc import Coroutine
from functools import partial
from time import perf_counter
from typing import Any, Protocol

from ragstone.engine.cancellation import run_cancellable
from ragstone.engine.context import MetricContext
from ragstone.engine.measurement import failed_result, measure, skipped_result
from ragstone.engine.scheduler import PromptScheduler
from ragstone.errors import MissingField, NotApplicable, RunStopped, TimedOut
from ragstone.metrics import AnswerAcceptance
from ragstone.providers.http.transport import current_transport
from ragstone.result import Result, Usage
from ragstone.run import Plan
from ragstone.runner.repeats import measure_repeatedly
from ragstone.runner.tasks import Task

_DOWN = "JudgeDown"
"""Type of the error of a result whose judge answers nobody any more: the run stops and emits no such result."""
_TIMER_PRECISION_SECONDS = 0.001


class TaskListener(Protocol):
    """Hears what becomes of the tasks of a run."""

    def started(self, task: Task) -> None:
        """A task is about to be measured."""

    def measured(self, task: Task, result: Result) -> None:
        """A task has its result."""

    def stopped(self, task: Task, why: str, usage: Usage, cost: float | None) -> None:
        """A task was given up, since the run cannot go on; `usage` and `cost` are what it has taken."""


class MeasurementStopped(RunStopped):
    """A measurement was given up, since the run cannot go on now; what it has taken so far, in US dollars if known."""

    def __init__(self, reason: str, usage: Usage, cost: float | None) -> None:
        super().__init__(reason)
        self.usage, self.cost = usage, cost


async def run_task(task: Task, scheduler: PromptScheduler, plan: Plan, listener: TaskListener) -> None:
    """Measure a task as often as the plan says, and tell the listener what became of it."""
    listener.started(task)
    try:
        result = await measure_task(task, scheduler, plan)
    except MeasurementStopped as error:
        listener.stopped(task, str(error), error.usage, error.cost)
        return
    if result.error_type == _DOWN:
        listener.stopped(task, result.error_message or "", result.usage, result.evaluation_cost)
    else:
        listener.measured(task, result)


def measure_task(task: Task, scheduler: PromptScheduler, plan: Plan) -> Coroutine[Any, Any, Result]:
    """Return the result of a task, measured as often as the plan says.

    Raises:
        MeasurementStopped: the run cannot go on now.
    """
    if plan.repeats == 1:
        return _measure_once(task, scheduler, plan, 0)
    return measure_repeatedly(partial(_measure_once, task, scheduler, plan), plan.repeats)


async def _measure_once(task: Task, scheduler: PromptScheduler, plan: Plan, repeat: int) -> Result:
    ctx = MetricContext(scheduler, task.case_index, repeat=repeat)
    deadline = asyncio.timeout(None)
    timeout = MeasurementTimeout(deadline, ctx, plan.patience)
    try:
        async with deadline:
            with scheduler.active_measurement():
                if task.metric.spec in plan.flagged_only:
                    await run_cancellable(_check_flagged(task, ctx))
                return await run_cancellable(measure(task.metric, task.case, ctx))
    except RunStopped as error:
        raise MeasurementStopped(str(error), ctx.usage, ctx.cost) from error
    except NotApplicable as error:
        return skipped_result(task.metric, task.case, ctx, error)
    except MissingField as error:
        to_result = skipped_result if plan.skips(task.metric.spec) else failed_result
        return to_result(task.metric, task.case, ctx, error)
    except TimeoutError as error:
        timeout_error = TimedOut(f"not measured within {plan.patience:g} s") if deadline.expired() else error
        return failed_result(task.metric, task.case, ctx, timeout_error)
    except Exception as error:  # noqa: BLE001  (any error of a user's own metric or judge becomes a result)
        return failed_result(task.metric, task.case, ctx, error)
    finally:
        timeout.stop()


async def _check_flagged(task: Task, ctx: MetricContext) -> None:
    """Ask for the review of the case, which its metrics share, and go on where it flags the answer.

    Raises:
        NotApplicable: the answer is acceptable.
    """
    try:
        review = await AnswerAcceptance().run_assess(task.case, ctx)
    except (MissingField, NotApplicable):  # nothing to judge the answer by
        return
    if review.value == 1:
        raise NotApplicable("The answer is acceptable: details are measured on flagged cases only.")


class MeasurementTimeout:
    """Ends a measurement that takes too long; time spent waiting for the judge's limits or its server does not count.

    A timer fires when the time is up, and is set again for as long as the measurement was kept waiting.
    """

    def __init__(self, deadline: asyncio.Timeout, ctx: MetricContext, seconds: float) -> None:
        """Let `deadline` expire once the measurement has worked for `seconds`."""
        self._deadline = deadline
        self._ctx = ctx
        self._seconds = seconds
        self._start = perf_counter()
        self._silence_before = _server_silence()
        self._loop = asyncio.get_running_loop()
        self._timer = self._loop.call_later(seconds, self._check_elapsed)

    def stop(self) -> None:
        """Cancel the timer."""
        self._timer.cancel()

    def _check_elapsed(self) -> None:
        now = perf_counter()
        waited = max(self._ctx.waited(now), _server_silence() - self._silence_before)
        remaining = self._seconds - (now - self._start - waited)
        if remaining > _TIMER_PRECISION_SECONDS:
            self._timer = self._loop.call_later(remaining, self._check_elapsed)
        else:
            self._deadline.reschedule(self._loop.time())


def _server_silence() -> float:
    transport = current_transport()
    return 0.0 if transport is None else transport.silence
