"""Writes rows from a thread of its own, in batches, so that a run neither waits for its database nor outruns it.

What has come in is written as soon as the thread is free: at most a moment of lingering, at most `MOST` rows. Whoever
adds a row to a full buffer waits. A database that is away for a while is waited for; rows that it has already are not
written twice, so a batch of unknown fate is simply written again. What cannot be written is told to the next who adds.
"""

from collections.abc import Callable, Sequence
from threading import Condition, Thread
from time import monotonic, sleep
from typing import TypeVar

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from ragstone.errors import StoreError
from ragstone.store._connect import reason

T = TypeVar("T")

MOST = 500
"""Rows that may be unwritten."""

_LINGER = 0.02
_PATIENCE = 60.0
_FIRST_PAUSE, _LAST_PAUSE = 0.1, 2.0


class Writer:
    """Takes items in the order in which they come, and hands them to `write` in batches."""

    def __init__(self, write: Callable[[Sequence[object]], None], where: str) -> None:
        """Write with `write`, which may be called again with the same items; `where` is for messages."""
        self._write = write
        self._where = where
        self._changed = Condition()
        self._waiting: list[object] = []
        self._writing = 0
        self._closing = False
        self._failure: Exception | None = None
        self._thread = Thread(target=self._work, name="ragstone-store", daemon=True)
        self._thread.start()

    def add(self, item: object) -> None:
        """Have an item written, soon; wait where too much is unwritten.

        Raises:
            StoreError: what came before could not be written.
        """
        with self._changed:
            while len(self._waiting) + self._writing >= MOST and self._failure is None:
                self._changed.wait()
            self._complain()
            self._waiting.append(item)
            if len(self._waiting) == 1 or len(self._waiting) == MOST // 2:
                self._changed.notify_all()

    def flush(self) -> None:
        """Wait until everything is written.

        Raises:
            StoreError: it cannot be.
        """
        with self._changed:
            while (self._waiting or self._writing) and self._failure is None:
                self._changed.wait()
            self._complain()

    def close(self) -> None:
        """Write what is left, and end.

        Raises:
            StoreError: it could not be written.
        """
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join()
        self._complain()

    def _complain(self) -> None:
        if self._failure is not None:
            raise StoreError(
                f"The store {self._where} takes no more results ({self._failure}). What it has is kept: "
                "mend it, then resume the run."
            ) from self._failure

    def _work(self) -> None:
        while batch := self._next():
            try:
                self._persist(batch)
            except Exception as error:  # noqa: BLE001  (a thread has nobody to raise to; the next `add` raises it)
                self._fail(error)
                return
            with self._changed:
                self._writing = 0
                self._changed.notify_all()

    def _next(self) -> list[object]:
        """Wait for items and take them, nothing where there are none to come."""
        with self._changed:
            while not self._waiting and not self._closing:
                self._changed.wait()
            if self._waiting and not self._closing and len(self._waiting) < MOST // 2:
                self._changed.wait(_LINGER)
            batch, self._waiting = self._waiting, []
            self._writing = len(batch)
            return batch

    def _persist(self, batch: list[object]) -> None:
        deadline, pause = monotonic() + _PATIENCE, _FIRST_PAUSE
        while True:
            try:
                self._write(batch)
            except DBAPIError as error:
                if not _passing(error) or monotonic() + pause > deadline:
                    raise
            else:
                return
            sleep(pause)
            pause = min(2 * pause, _LAST_PAUSE)

    def _fail(self, error: Exception) -> None:
        said = RuntimeError(reason(error)) if isinstance(error, SQLAlchemyError) else error
        with self._changed:
            self._failure = said
            self._waiting, self._writing = [], 0
            self._changed.notify_all()


def _passing(error: DBAPIError) -> bool:
    """Tell whether a database may come back: it is locked, starting or unreachable, not full or forbidden."""
    words = str(error.orig).lower()
    return error.connection_invalidated or any(
        sign in words
        for sign in ("locked", "connection", "starting up", "shutting down", "terminat", "deadlock")
    )
