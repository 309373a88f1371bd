"""The batch log of a run: batches are recorded before they are submitted; each write is durable on return."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager

from sqlalchemy import ColumnElement, Connection, Engine, and_, delete, select, update
from sqlalchemy.exc import SQLAlchemyError

from ragstone.errors import StoreError
from ragstone.providers.batches.log import BatchLogEntry
from ragstone.store.schema.connect import database_message, display_name
from ragstone.store.schema.tables import BATCHES


class StoredBatchLog:
    """The batch log of one run. Its writes are rare and need no thread."""

    def __init__(self, engine: Engine, run: str) -> None:
        """Record the batches of the run of that id in the database of `engine`."""
        self._engine = engine
        self._run = run

    def entries(self) -> Sequence[BatchLogEntry]:
        """Return the batches of the run, in order."""
        query = select(BATCHES).where(BATCHES.c.run_id == self._run).order_by(BATCHES.c.number)
        with self._transaction() as connection:
            return [
                BatchLogEntry(
                    row.number,
                    row.vendor,
                    row.model,
                    row.address,
                    tuple(row.keys.split()),
                    row.since,
                    row.batch,
                )
                for row in connection.execute(query)
            ]

    def known(self) -> frozenset[str]:
        """Return the vendors' ids of all batches in the store."""
        query = select(BATCHES.c.batch).where(BATCHES.c.batch.is_not(None))
        with self._transaction() as connection:
            return frozenset(connection.execute(query).scalars())

    def intend(self, entry: BatchLogEntry) -> None:
        """Record that a batch is about to be submitted.

        Raises:
            StoreError: it cannot be recorded; nothing must be submitted then.
        """
        names = ("number", "vendor", "model", "batch", "since")
        row = {"run_id": self._run, "address": entry.where} | {name: getattr(entry, name) for name in names}
        row |= {"requests": len(entry.keys), "keys": "\n".join(entry.keys)}
        with self._transaction() as connection:
            connection.execute(BATCHES.insert(), [row])

    def submitted(self, number: int, batch: str) -> None:
        """Record the vendor's id of a batch."""
        with self._transaction() as connection:
            connection.execute(update(BATCHES).where(self._is_batch(number)).values(batch=batch))

    def forget(self, number: int) -> None:
        """Remove a batch that was never accepted."""
        with self._transaction() as connection:
            connection.execute(delete(BATCHES).where(self._is_batch(number)))

    def _is_batch(self, number: int) -> ColumnElement[bool]:
        return and_(BATCHES.c.run_id == self._run, BATCHES.c.number == number)

    @contextmanager
    def _transaction(self) -> Generator[Connection]:
        try:
            with self._engine.begin() as connection:
                yield connection
        except SQLAlchemyError as error:
            where = display_name(self._engine.url)
            raise StoreError(
                f"The store {where} cannot record batches ({database_message(error)}): repair it, then resume the run."
            ) from error
