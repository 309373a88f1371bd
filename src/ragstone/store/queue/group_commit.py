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
from ragstone.store.schema.connect import database_message, display_name

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
        """Store a batch; on return it is committed.

        Raises:
            StoreError: it could not be stored; nothing of it is.
        """
        mine = _WaitingBatch(batch)
        with self._queue_lock:
            self._waiting.append(mine)
        while mine.counts is None and mine.problem is None:
            with self._write_lock:
                if mine.counts is None and mine.problem is None:
                    self._write_batches(self._take_batches())
        if isinstance(mine.problem, SQLAlchemyError):
            where, told = display_name(self._engine.url), database_message(mine.problem)
            raise StoreError(f"The store {where} cannot accept traces now: {told}") from mine.problem
        if mine.counts is None:
            raise mine.problem or StoreError("nothing was stored")
        return mine.counts

    def _take_batches(self) -> list[_WaitingBatch]:
        with self._queue_lock:
            taken, self._waiting = self._waiting[:_MAX_BATCHES], self._waiting[_MAX_BATCHES:]
        return taken

    def _write_batches(self, taken: Sequence[_WaitingBatch]) -> None:
        """Write batches together; if that fails, write each separately, so that one does not affect the others."""
        try:
            found = put_batches(self._engine, [one.batch for one in taken])
        except Exception as error:  # noqa: BLE001  (`put` raises it in the waiting thread)
            if len(taken) == 1:
                taken[0].problem = error
            else:
                for one in taken:
                    self._write_batches([one])
            return
        for one, counts in zip(taken, found, strict=True):
            one.counts = counts
