"""Tracks active measurements; a batch is submitted once all of them are waiting for an answer.

A measurement is active, and so is a judge call made for it; both are idle while they wait for an answer. Counting them
finds the end of a stage exactly, however long an embedding or a database access takes in between; a timer could not.
"""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

_SETTLE_TURNS, _SETTLE_SECONDS = 20, 0.05
"""Event-loop turns, and seconds, after which every delivered answer has been received."""


class ActivityCounter:
    """Counts the active tasks of one run, in one event loop."""

    def __init__(self) -> None:
        self._active = 0
        self._changes = 0
        self._idle = asyncio.Event()
        self._idle.set()

    @contextmanager
    def active(self, name: str = "") -> Generator[None]:
        """Count the caller as active for the time of the block; `name` is what `current_owner` returns inside."""
        owner = _Owner(self, name)
        token = _OWNER.set(owner)
        self.add(1)
        try:
            yield
        finally:
            self.add(-1)
            _OWNER.reset(token)

    async def wait_idle(self) -> None:
        """Wait until no task is active or about to be."""
        while True:
            await self._idle.wait()
            changes = self._changes
            for _ in range(_SETTLE_TURNS):
                await asyncio.sleep(0)
            await asyncio.sleep(_SETTLE_SECONDS)
            if self._changes == changes and not self._active:
                return

    def add(self, by: int) -> None:
        """Change the number of active tasks by `by`."""
        self._changes += 1
        self._active += by
        if self._active:
            self._idle.clear()
        else:
            self._idle.set()


@dataclass(slots=True, eq=False)
class _Owner:
    """An active task, idle while at least one of its requests is outstanding.

    A metric that computes while it waits counts as idle too early: its next request then makes one batch more.
    """

    activity: ActivityCounter
    name: str
    outstanding: int = 0


_OWNER: ContextVar[_Owner | None] = ContextVar("ragstone_activity_owner", default=None)


@contextmanager
def idle() -> Generator[None]:
    """Count the caller as idle for the time of the block; without a counter this does nothing."""
    owner = _OWNER.get()
    if owner is None:
        yield
        return
    if not owner.outstanding:
        owner.activity.add(-1)
    owner.outstanding += 1
    try:
        yield
    finally:
        owner.outstanding -= 1
        if not owner.outstanding:
            owner.activity.add(1)


def current_owner() -> str:
    """Return the name of the active task that this code runs in, empty if there is none."""
    owner = _OWNER.get()
    return "" if owner is None else owner.name
