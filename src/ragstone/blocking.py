"""Call the one asynchronous implementation from blocking code, also inside a running event loop."""

from collections.abc import Awaitable, Callable
from typing import TypeVar, TypeVarTuple

from anyio.from_thread import start_blocking_portal

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


def run_blocking(function: Callable[[*Ts], Awaitable[T]], *args: *Ts) -> T:
    """Return what `await function(*args)` returns, from an event loop in a thread of its own.

    Ctrl-C cancels the work and runs its clean-up before it is raised here.
    """
    with start_blocking_portal() as portal:
        return portal.call(function, *args)
