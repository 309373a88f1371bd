"""Says every other second that a run still goes on, also while its judge is slow and nothing comes.

A run that was killed cannot say so. One that says `running` and was not heard of for a while is silent.
"""

from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread

from sqlalchemy.exc import SQLAlchemyError

EVERY = 2.0
"""Seconds between two signs of life."""


class Heartbeat:
    """Beats until it is stopped."""

    def __init__(self, beat: Callable[[], None]) -> None:
        """Call `beat` now and then, from a thread of its own. What it cannot write is said the next time."""
        self._beat = beat
        self._over = Event()
        self._thread = Thread(target=self._work, name="ragstone-heartbeat", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Beat no more."""
        self._over.set()
        self._thread.join()

    def _work(self) -> None:
        while not self._over.wait(EVERY):
            with suppress(SQLAlchemyError):
                self._beat()
