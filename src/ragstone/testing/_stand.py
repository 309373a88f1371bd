"""Where an assertion stands: in which test, with which judge, which cases to come. Light: pytest always imports it.

The plug-in sets it for its session; an assertion outside pytest finds none and opens a bench of its own.
"""

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ragstone.testing._bench import Bench


def _none_to_come(case: object, metrics: object) -> Sequence[Any]:
    del case, metrics
    return ()


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """The test that runs now.

    Attributes:
        name: the test's name, without its parameters.
        judge: the judge that the test's own fixture `judge` gives, None where it has none.
        to_come: tells for a case and metrics which further cases later tests will ask the same about.
        records: what was measured, as plain values that travel between processes.
    """

    name: str | None = None
    judge: Any = None
    to_come: Callable[[Any, Any], Sequence[Any]] = _none_to_come
    records: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])


@dataclass(slots=True)
class Stand:
    """What a session of tests shares. `now` moves from test to test.

    Attributes:
        open_bench: opens the bench when first it is needed.
        now: the test that runs.
    """

    open_bench: "Callable[[], Bench]"
    now: Standing = field(default_factory=Standing)


STAND: ContextVar[Stand | None] = ContextVar("ragstone_stand", default=None)
