"""Heartbeats of a run, every two seconds, also while its judge is slow and no results come.

A run that is called `running` without a recent heartbeat was killed; it is shown as `silent`.
"""

from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread

from sqlalchemy.exc import SQLAlchemyError

EVERY = 2.0
"""Seconds between two heartbeats."""


class Heartbeat:
    """Calls a function at intervals, until it is stopped."""

    def __init__(self, beat: Callable[[], None]) -> None:
        """Call `beat` from a thread; a database error is ignored until the next time."""
        self._beat = beat
        self._stopped = Event()
        self._thread = Thread(target=self._run, name="ragstone-heartbeat", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop."""
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopped.wait(EVERY):
            with suppress(SQLAlchemyError):
                self._beat()
