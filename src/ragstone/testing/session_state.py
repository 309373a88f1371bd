"""The state that assertions read: the current test, its judge, and the cases of later tests.

The pytest plug-in sets it for its session; an assertion outside pytest opens an evaluator of its own. Every pytest run
imports this module, so it imports nothing heavy.
"""

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ragstone.testing.session_evaluator import SessionEvaluator


def _no_upcoming_cases(case: object, metrics: object) -> Sequence[Any]:
    del case, metrics
    return ()


@dataclass(frozen=True, slots=True, eq=False)
class CurrentTest:
    """The running test.

    Attributes:
        name: the test's name, without its parameters.
        judge: the value of the test's fixture `judge`, None where it uses none.
        upcoming_cases: returns, for a case and metrics, the cases that later tests measure with the same metrics.
        records: what was measured, as plain values that can be sent between processes.
    """

    name: str | None = None
    judge: Any = None
    upcoming_cases: Callable[[Any, Any], Sequence[Any]] = _no_upcoming_cases
    records: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])


@dataclass(slots=True)
class SessionState:
    """State shared by a test session; `current` changes with each test."""

    open_evaluator: "Callable[[], SessionEvaluator]"
    current: CurrentTest = field(default_factory=CurrentTest)


SESSION_STATE: ContextVar[SessionState | None] = ContextVar("ragstone_session_state", default=None)
