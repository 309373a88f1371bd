"""What those who work on a run have in common, from its first event to its last."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import cast

from ragstone.event import EventListener, RunFinished, RunStarted
from ragstone.run import Plan, Run


@dataclass
class RunSession:
    """What the workers of a run have in common; `stop_reason` says why they go home early."""

    plan: Plan
    emit: EventListener
    stop_reason: str = ""


@contextmanager
def run_session(run: Run, emit: EventListener, total: int | None) -> Generator[RunSession]:
    """Begin a run and, whatever comes of it, end it. Of several errors that end it, the first is raised, alone."""
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
    """Return one of several errors that ended a run: those that follow say the same."""
    error = errors.exceptions[0]
    return _first(cast("ExceptionGroup[Exception]", error)) if isinstance(error, ExceptionGroup) else error
