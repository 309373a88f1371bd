"""The state that all workers of a run share, and the events of the run and of its measurements."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import cast

from ragstone.event import EventListener, MeasurementFinished, MeasurementStarted, RunFinished, RunStarted
from ragstone.result import NO_USAGE, Result, Usage
from ragstone.run import Plan, Run
from ragstone.runner.resume import ResumeState, with_attempts
from ragstone.runner.tasks import Task


@dataclass
class RunSession:
    """The state of a run that is being executed; `past` is what an interrupted run has done already.

    Attributes:
        stop_reason: why the run ends before all tasks are done; empty while it goes on.
        unfinished_usage: usage of the measurements that were given up for that.
        unfinished_cost: their cost in US dollars; None if unknown.
    """

    plan: Plan
    emit: EventListener
    past: ResumeState
    stop_reason: str = ""
    unfinished_usage: Usage = NO_USAGE
    unfinished_cost: float | None = 0.0

    def started(self, task: Task) -> None:
        """Emit the start of a measurement."""
        self.emit(MeasurementStarted(task.case_index, task.metric_index, task.case, task.metric.spec))

    def measured(self, task: Task, result: Result) -> None:
        """Emit the result of a measurement."""
        key = (task.case_index, task.metric_index)
        self.emit(MeasurementFinished(*key, task.case, with_attempts(result, self.past.failures(*key))))

    def stopped(self, task: Task, why: str, usage: Usage, cost: float | None) -> None:  # noqa: ARG002  (a TaskListener)
        """End the run: calls in flight are paid for, so the other workers finish theirs."""
        self.stop_reason = self.stop_reason or why
        self.unfinished_usage += usage
        total = self.unfinished_cost
        self.unfinished_cost = None if total is None or cost is None else total + cost


@contextmanager
def run_session(run: Run, emit: EventListener, total: int | None, past: ResumeState) -> Generator[RunSession]:
    """Emit the start and, in every case, the end of a run. Of several errors only the first is raised."""
    emit(RunStarted(run, total))
    session = RunSession(run.plan, emit, past)
    complete = False
    try:
        yield session
        complete = not session.stop_reason
    except ExceptionGroup as errors:
        raise _first(errors) from None
    finally:
        emit(
            RunFinished(
                run,
                complete=complete,
                why=session.stop_reason,
                unfinished_usage=session.unfinished_usage,
                unfinished_cost=session.unfinished_cost,
            )
        )


def _first(errors: ExceptionGroup[Exception]) -> Exception:
    """Return the first error of a group: the others follow from it or repeat it."""
    error = errors.exceptions[0]
    return _first(cast("ExceptionGroup[Exception]", error)) if isinstance(error, ExceptionGroup) else error
