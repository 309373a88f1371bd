"""What those who work on a run have in common, from its first event to its last."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import cast

from ragstone.event import Emit, RunFinished, RunStarted
from ragstone.run import Plan, Run


@dataclass
class Shift:
    """What the workers of a run have in common; `over` says why they go home early."""

    plan: Plan
    emit: Emit
    over: str = ""


@contextmanager
def shift(run: Run, emit: Emit, total: int | None) -> Generator[Shift]:
    """Begin a run and, whatever comes of it, end it. Of several errors that end it, the first is raised, alone."""
    emit(RunStarted(run, total))
    begun = Shift(run.plan, emit)
    complete = False
    try:
        yield begun
        complete = not begun.over
    except ExceptionGroup as errors:
        raise _first(errors) from None
    finally:
        emit(RunFinished(run, complete=complete, why=begun.over))


def _first(errors: ExceptionGroup[Exception]) -> Exception:
    """Return one of several errors that ended a run: those that follow say the same."""
    error = errors.exceptions[0]
    return _first(cast("ExceptionGroup[Exception]", error)) if isinstance(error, ExceptionGroup) else error
