"""The state that all workers of a run share, and the events that open and close the run."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import cast

from ragstone.event import EventListener, RunFinished, RunStarted
from ragstone.run import Plan, Run


@dataclass
class RunSession:
    """The state of a run that is being executed.

    Attributes:
        plan: the run's plan.
        emit: receives each event.
        stop_reason: why the run ends before all tasks are done; empty while it goes on.
    """

    plan: Plan
    emit: EventListener
    stop_reason: str = ""


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
        emit(RunFinished(run, complete=complete, why=session.stop_reason))


def _first(errors: ExceptionGroup[Exception]) -> Exception:
    """Return the first error of a group: the others follow from it or repeat it."""
    error = errors.exceptions[0]
    return _first(cast("ExceptionGroup[Exception]", error)) if isinstance(error, ExceptionGroup) else error
