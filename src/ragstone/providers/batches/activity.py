"""Who is at work: a batch goes off when nobody is, for then nobody has a further question before an answer comes.

A measurement is at work, and so is whoever asks on its behalf; both are away while they wait for an answer. Counting
them tells the end of a stage exactly, however long an embedding or a database takes in between; no clock could.
"""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

_STEPS, _SETTLING = 20, 0.05
"""Turns of the event loop, and seconds, in which whoever was given an answer has taken it."""


class ActivityCounter:
    """Counts those at work. Belongs to one run and one event loop."""

    def __init__(self) -> None:
        """Begin with nobody."""
        self._active = 0
        self._changes = 0
        self._quiet = asyncio.Event()
        self._quiet.set()

    @contextmanager
    def active(self, name: str = "") -> Generator[None]:
        """Count the caller as at work; `name` is for those who want to know on whose behalf something is sent."""
        worker = _Owner(self, name)
        token = _OWNER.set(worker)
        self.add(1)
        try:
            yield
        finally:
            self.add(-1)
            _OWNER.reset(token)

    async def wait_idle(self) -> None:
        """Wait until nobody is at work, and nobody is about to be."""
        while True:
            await self._quiet.wait()
            changes = self._changes
            for _ in range(_STEPS):
                await asyncio.sleep(0)
            await asyncio.sleep(_SETTLING)
            if self._changes == changes and not self._active:
                return

    def add(self, by: int) -> None:
        """Count so many more."""
        self._changes += 1
        self._active += by
        if self._active:
            self._quiet.clear()
        else:
            self._quiet.set()


class _Owner:
    """One who is at work, and away while any of what they wait for (they may wait for several) is out.

    A metric that computes while it waits may so be thought away too soon: its next question makes one batch more.
    """

    def __init__(self, activity: ActivityCounter, name: str) -> None:
        self.name = name
        self._activity = activity
        self._waits = 0

    def enter_wait(self) -> None:
        if not self._waits:
            self._activity.add(-1)
        self._waits += 1

    def leave_wait(self) -> None:
        self._waits -= 1
        if not self._waits:
            self._activity.add(1)


_OWNER: ContextVar[_Owner | None] = ContextVar("ragstone_worker", default=None)


@contextmanager
def idle() -> Generator[None]:
    """Count the caller as away for the time of the block; without a roll this does nothing."""
    worker = _OWNER.get()
    if worker is None:
        yield
        return
    worker.enter_wait()
    try:
        yield
    finally:
        worker.leave_wait()


def current_owner() -> str:
    """Return the name of whoever is at work here."""
    worker = _OWNER.get()
    return "" if worker is None else worker.name
