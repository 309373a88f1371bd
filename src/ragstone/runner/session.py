"""The state that all workers of a run share, and the events that open and close the run."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import cast

from ragstone.event import EventListener, RunFinished, RunStarted
from ragstone.result import NO_USAGE, Usage
from ragstone.run import Plan, Run


@dataclass
class RunSession:
    """The state of a run that is being executed.

    Attributes:
        plan: the run's plan.
        emit: receives each event.
        stop_reason: why the run ends before all tasks are done; empty while it goes on.
        unfinished_usage: usage of the measurements that were given up for that.
        unfinished_cost: their cost in US dollars; None if unknown.
    """

    plan: Plan
    emit: EventListener
    stop_reason: str = ""
    unfinished_usage: Usage = NO_USAGE
    unfinished_cost: float | None = 0.0

    def stop(self, reason: str, usage: Usage = NO_USAGE, cost: float | None = 0.0) -> None:
        """End the run, since a measurement cannot go on; `usage` and `cost` are what it has taken so far."""
        self.stop_reason = self.stop_reason or reason
        self.unfinished_usage += usage
        total = self.unfinished_cost
        self.unfinished_cost = None if total is None or cost is None else total + cost


@contextmanager
def run_session(run: Run, emit: EventListener, total: int | None) -> Generator[RunSession]:
    """Emit the start and, in every case, the end of a run. Of several errors only the first is raised."""
    emit(RunStarted(run, total))
    session = RunSession(run.plan, emit)
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
