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


class Roll:
    """Counts those at work. Belongs to one run and one event loop."""

    def __init__(self) -> None:
        """Begin with nobody."""
        self._busy = 0
        self._moves = 0
        self._quiet = asyncio.Event()
        self._quiet.set()

    @contextmanager
    def present(self, name: str = "") -> Generator[None]:
        """Count the caller as at work; `name` is for those who want to know on whose behalf something is sent."""
        worker = _Worker(self, name)
        token = _WORKER.set(worker)
        self.move(1)
        try:
            yield
        finally:
            self.move(-1)
            _WORKER.reset(token)

    async def nobody(self) -> None:
        """Wait until nobody is at work, and nobody is about to be."""
        while True:
            await self._quiet.wait()
            moves = self._moves
            for _ in range(_STEPS):
                await asyncio.sleep(0)
            await asyncio.sleep(_SETTLING)
            if self._moves == moves and not self._busy:
                return

    def move(self, by: int) -> None:
        """Count so many more."""
        self._moves += 1
        self._busy += by
        if self._busy:
            self._quiet.clear()
        else:
            self._quiet.set()


class _Worker:
    """One who is at work, and away while any of what they wait for (they may wait for several) is out.

    A metric that computes while it waits may so be thought away too soon: its next question makes one batch more.
    """

    def __init__(self, roll: Roll, name: str) -> None:
        self.name = name
        self._roll = roll
        self._waits = 0

    def leave(self) -> None:
        if not self._waits:
            self._roll.move(-1)
        self._waits += 1

    def come_back(self) -> None:
        self._waits -= 1
        if not self._waits:
            self._roll.move(1)


_WORKER: ContextVar[_Worker | None] = ContextVar("ragstone_worker", default=None)


@contextmanager
def away() -> Generator[None]:
    """Count the caller as away for the time of the block; without a roll this does nothing."""
    worker = _WORKER.get()
    if worker is None:
        yield
        return
    worker.leave()
    try:
        yield
    finally:
        worker.come_back()


def on_behalf_of() -> str:
    """Return the name of whoever is at work here."""
    worker = _WORKER.get()
    return "" if worker is None else worker.name
