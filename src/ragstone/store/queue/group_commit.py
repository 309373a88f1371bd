"""Group commit: batches that several threads put at once are committed in one transaction.

A commit costs more than the rows in it. The first thread that gets the lock writes the waiting batches of the others
too; they find theirs written. SQLite has one writer at a time, and waiting for this lock is cheaper than polling there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from ragstone.errors import StoreError
from ragstone.store.queue.intake import PutCounts, RecordBatch, put_batches
from ragstone.store.schema.connect import database_message, display_name, is_database_failure

_MAX_BATCHES = 64


@dataclass(slots=True, eq=False)
class _WaitingBatch:
    batch: RecordBatch
    counts: PutCounts | None = None
    problem: Exception | None = None


class GroupCommit:
    """Puts batches of records into one database; its method may be called from several threads."""

    def __init__(self, engine: Engine) -> None:
        """Write to the database of `engine`."""
        self._engine = engine
        self._waiting: list[_WaitingBatch] = []
        self._queue_lock = Lock()
        self._write_lock = Lock()

    def put(self, batch: RecordBatch) -> PutCounts:
        """Store a batch; on return it is committed. Raises StoreError: it could not be stored; nothing of it is."""
        item = _WaitingBatch(batch)
        with self._queue_lock:
            self._waiting.append(item)
        while item.counts is None and item.problem is None:
            with self._write_lock:
                if item.counts is None and item.problem is None:
                    self._write_batches(self._take_batches())
        if isinstance(item.problem, SQLAlchemyError):
            where, message = display_name(self._engine.url), database_message(item.problem)
            raise StoreError(f"The store {where} cannot accept traces now: {message}") from item.problem
        if item.counts is None:
            raise item.problem or StoreError("nothing was stored")
        return item.counts

    def _take_batches(self) -> list[_WaitingBatch]:
        with self._queue_lock:
            batches, self._waiting = self._waiting[:_MAX_BATCHES], self._waiting[_MAX_BATCHES:]
        return batches

    def _write_batches(self, batches: Sequence[_WaitingBatch]) -> None:
        """Write batches together; if that fails, write each separately, so that one does not affect the others.

        If the database itself fails, such as by a lock or a full disk, it fails all of them: each attempt may take as
        long as the database waits for a lock.
        """
        try:
            all_counts = put_batches(self._engine, [item.batch for item in batches])
        except Exception as error:  # noqa: BLE001  (`put` raises it in the waiting thread)
            if len(batches) == 1 or is_database_failure(error):
                for item in batches:
                    item.problem = error
            else:
                for item in batches:
                    self._write_batches([item])
            return
        for item, counts in zip(batches, all_counts, strict=True):
            item.counts = counts
