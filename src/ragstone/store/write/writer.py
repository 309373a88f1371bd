"""Writes rows from a thread, in batches, so that a run neither waits for its database nor gets ahead of it.

Urgent items are written as soon as the thread is free, with everything that has come in by then; others after a short
delay. At most `MOST` items are unwritten at any time: adding one more blocks. While the database is unavailable, writes
are repeated; that is safe, because existing rows are not written twice. If writing fails, the next `add` raises.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Condition, Thread
from time import monotonic, sleep
from typing import TypeVar

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from ragstone.errors import StoreError
from ragstone.store.schema.connect import database_message

T = TypeVar("T")

MOST = 500  # items that may be unwritten
_BATCH_DELAY = 0.1
_BATCH_INTERVAL = 0.01
"""Seconds between the starts of two batches: a busy run writes larger batches, an idle one does not wait."""

_RETRY_TIMEOUT_SECONDS = 60.0
_FIRST_RETRY_SECONDS, _MAX_RETRY_SECONDS = 0.1, 2.0


class Writer:
    """Passes items to `write` in batches, in the order in which they were added."""

    def __init__(self, write: Callable[[Sequence[object]], None], where: str) -> None:
        """Write with `write`, which may be called again with the same items; `where` is for messages."""
        self._write = write
        self._where = where
        self._changed = Condition()
        self._waiting: list[object] = []
        self._writing_count = 0
        self._urgent = False
        self._added_count = self._written_count = 0
        self._waiters: list[tuple[int, asyncio.AbstractEventLoop, asyncio.Future[None]]] = []
        self._closing = False
        self._last_batch_start = float("-inf")
        self._failure: Exception | None = None
        self._thread = Thread(target=self._run, name="ragstone-store", daemon=True)
        self._thread.start()

    def add(self, item: object, *, urgent: bool = False) -> None:
        """Add an item, to be written at once if it is urgent; block while too much is unwritten.

        Raises:
            StoreError: earlier items could not be written.
        """
        with self._changed:
            while len(self._waiting) + self._writing_count >= MOST and self._failure is None:
                self._changed.wait()
            self._raise_failure()
            self._waiting.append(item)
            self._added_count += 1
            self._urgent = self._urgent or urgent
            if urgent or len(self._waiting) in (1, MOST // 2):
                self._changed.notify_all()

    async def written(self) -> None:
        """Wait until all items so far are written, without blocking the event loop.

        Raises:
            StoreError: they cannot be written.
        """
        with self._changed:
            self._raise_failure()
            if self._written_count >= self._added_count:
                return
            loop = asyncio.get_running_loop()
            future: asyncio.Future[None] = loop.create_future()
            self._waiters.append((self._added_count, loop, future))
        await future
        self._raise_failure()

    def close(self) -> None:
        """Write what is left, and stop. Raises StoreError: it could not be written."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join()
        self._raise_failure()

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise StoreError(
                f"The store {self._where} cannot accept more results ({self._failure}). Stored results are "
                "kept: repair the store, then resume the run."
            ) from self._failure

    def _run(self) -> None:
        while batch := self._next_batch():
            try:
                self._write_with_retries(batch)
            except Exception as error:  # noqa: BLE001  (the next `add` raises it)
                self._fail(error)
                return
            with self._changed:
                self._written_count += self._writing_count
                self._writing_count = 0
                self._changed.notify_all()
                self._wake_waiters(self._written_count)

    def _wake_waiters(self, written: int) -> None:
        done = [waiter for waiter in self._waiters if waiter[0] <= written]
        self._waiters = self._waiters[len(done) :]  # they are in order
        for loop in {loop for _, loop, _ in done}:
            futures = [future for _, waiter_loop, future in done if waiter_loop is loop]
            with suppress(RuntimeError):  # that event loop is closed
                loop.call_soon_threadsafe(_wake, futures)

    def _next_batch(self) -> list[object]:
        with self._changed:
            while not self._waiting and not self._closing:
                self._changed.wait()
            self._changed.wait_for(
                lambda: self._urgent or self._closing or len(self._waiting) >= MOST // 2, _BATCH_DELAY
            )
        self._wait_for_interval()
        with self._changed:
            batch, self._waiting, self._urgent = self._waiting, [], False
            self._writing_count = len(batch)
            return batch

    def _wait_for_interval(self) -> None:
        """Wait for the rest of the interval, so that more items join the batch, unless half of `MOST` are waiting."""
        remaining = self._last_batch_start + _BATCH_INTERVAL - monotonic()
        if remaining > 0 and len(self._waiting) < MOST // 2 and not self._closing:
            sleep(remaining)  # not a wait on the condition, which would wake for each item
        self._last_batch_start = monotonic()

    def _write_with_retries(self, batch: list[object]) -> None:
        deadline, pause = monotonic() + _RETRY_TIMEOUT_SECONDS, _FIRST_RETRY_SECONDS
        while True:
            try:
                self._write(batch)
            except DBAPIError as error:
                if not _is_transient(error) or monotonic() + pause > deadline:
                    raise
            else:
                return
            sleep(pause)
            pause = min(2 * pause, _MAX_RETRY_SECONDS)

    def _fail(self, error: Exception) -> None:
        failure = RuntimeError(database_message(error)) if isinstance(error, SQLAlchemyError) else error
        with self._changed:
            self._failure = failure
            self._waiting, self._writing_count = [], 0
            self._changed.notify_all()
            self._wake_waiters(self._added_count)


def _wake(futures: list[asyncio.Future[None]]) -> None:
    for future in futures:
        if not future.done():
            future.set_result(None)


def _is_transient(error: DBAPIError) -> bool:
    """Return whether an error may pass: the database is locked, starting or unreachable, not full or forbidden."""
    message = str(error.orig).lower()
    return error.connection_invalidated or any(
        word in message
        for word in ("locked", "connection", "starting up", "shutting down", "terminat", "deadlock")
    )
