"""Where an assertion stands: in which test, with which judge, which cases to come. Light: pytest always imports it.

The plug-in sets it for its session; an assertion outside pytest finds none and opens a bench of its own.
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
    """The test that runs now.

    Attributes:
        name: the test's name, without its parameters.
        judge: the judge that the test's own fixture `judge` gives, None where it has none.
        upcoming_cases: tells for a case and metrics which further cases later tests will ask the same about.
        records: what was measured, as plain values that travel between processes.
    """

    name: str | None = None
    judge: Any = None
    upcoming_cases: Callable[[Any, Any], Sequence[Any]] = _no_upcoming_cases
    records: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])


@dataclass(slots=True)
class SessionState:
    """What a session of tests shares. `current` moves from test to test.

    Attributes:
        open_evaluator: opens the bench when first it is needed.
        now: the test that runs.
    """

    open_evaluator: "Callable[[], SessionEvaluator]"
    current: CurrentTest = field(default_factory=CurrentTest)


SESSION_STATE: ContextVar[SessionState | None] = ContextVar("ragstone_stand", default=None)
