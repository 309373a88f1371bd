"""Calls the asynchronous implementation from blocking code, also inside a running event loop."""

from collections.abc import Awaitable, Callable
from typing import TypeVar, TypeVarTuple

from anyio.from_thread import start_blocking_portal

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


def run_blocking(function: Callable[[*Ts], Awaitable[T]], *args: *Ts) -> T:
    """Run `await function(*args)` in an event loop in a separate thread, and return its result.

    Ctrl-C cancels the function, which runs its clean-up before the exception is raised here.
    """
    with start_blocking_portal() as portal:
        return portal.call(function, *args)
