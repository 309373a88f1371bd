"""A SQLite file whose loss is acceptable: one connection reads, one writes; a damaged file is replaced by an empty one.

All writes go through one thread, which commits all transactions queued since its last commit, so that many writes cost
one commit. Readers never wait (write-ahead log).
"""

import os
import sqlite3
import warnings
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any
from weakref import finalize

from ragstone.private_file import create_privately

Transaction = Callable[[sqlite3.Connection], Any]


class CacheWarning(UserWarning):
    """The cache cannot do all that was asked of it; the run continues."""


class SqliteConnection:
    """One connection to the file, opened when first used, replaced where the file was damaged or moved away."""

    def __init__(
        self, path: Path, prepare: Transaction, replace_damaged: Callable[[int, Exception], None]
    ) -> None:
        """Connect to `path` when needed; `prepare` sets up a new connection.

        `replace_damaged` is called, while no transaction of this connection runs, with the inode number of the file and
        the error by which its damage was seen.
        """
        self._path = path
        self._prepare = prepare
        self._replace_damaged = replace_damaged
        self.lock = Lock()
        self._connection: sqlite3.Connection | None = None
        self._close_connection: Callable[[], object] | None = None
        self._file_inode = 0
        self._warned = False

    def run(self, transaction: Transaction) -> Any:  # noqa: ANN401  (depends on the transaction)
        """Return what `transaction` returns; None, with one warning, where the file cannot be used."""
        for _ in range(2):
            inode = 0
            try:
                with self.lock:
                    try:
                        return transaction(self._open_connection())
                    finally:
                        inode = self._file_inode
            except (sqlite3.OperationalError, OSError) as error:  # locked for long, read-only, disk full
                self.warn(f"cannot be used ({error}): the judge is asked instead")
                return None
            except sqlite3.DatabaseError as error:
                self._replace_damaged(inode, error)
        return None

    def close(self) -> None:
        """Close the connection; the next transaction opens it again."""
        with self.lock:
            self.disconnect()

    def _open_connection(self) -> sqlite3.Connection:
        if self._connection is not None and _inode(self._path) != self._file_inode:
            self.disconnect()  # another process found the file damaged and moved it
        if self._connection is None:
            create_privately(self._path)  # SQLite gives `-wal` and `-shm` the same permissions
            connection = sqlite3.connect(
                self._path, timeout=30, isolation_level=None, check_same_thread=False
            )
            self._file_inode = _inode(self._path)
            try:
                self._prepare(connection)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
            # For a judge that is never closed: Python 3.13 warns if an open connection is garbage-collected. `__del__`
            # would be too late: in a reference cycle, the connection may be collected before this object.
            self._close_connection = finalize(self, _close_connection, connection)
        return self._connection

    def disconnect(self) -> None:
        """Close the connection; the caller holds `lock`."""
        if self._close_connection is not None:
            self._close_connection()
        self._connection = self._close_connection = None

    def warn(self, problem: str) -> None:
        """Warn once that the file has a problem."""
        if not self._warned:
            self._warned = True
            warnings.warn(f"The cache {self._path} {problem}.", CacheWarning, stacklevel=2)


class SqliteFile:
    """The reader, the writer and the queued transactions of a file. Safe for threads, and for processes that fork.

    One thread writes the transactions in order, with as few commits as possible.
    """

    def __init__(self, path: Path, prepare: Transaction) -> None:
        """Use the file at `path`, which is created when first needed."""
        self._path = path
        self._prepare = prepare
        self._open()

    def read(self, transaction: Transaction) -> Any:  # noqa: ANN401
        """Return what `transaction` reads, None where the file cannot be used."""
        self._reopen_after_fork()
        return self._reader.run(transaction)

    def submit(self, transaction: Transaction) -> Future[Any]:
        """Queue a transaction; its result is None where it could not be written."""
        self._reopen_after_fork()
        future: Future[Any] = Future()
        self._pending.append((transaction, future))
        if self._executor is None:
            self._executor = ThreadPoolExecutor(1, thread_name_prefix="ragstone-cache")
        if not self._scheduled:
            self._scheduled = True
            self._executor.submit(self._drain)
        return future

    def close(self) -> None:
        """Write the queued transactions and close the file; it opens again when needed."""
        self._reopen_after_fork()
        if self._executor is not None:
            self._executor.shutdown()
            self._executor = None
        self._reader.close()
        self._writer.close()

    def _open(self) -> None:
        self._pid = os.getpid()
        self._reader, self._writer = (
            SqliteConnection(self._path, self._prepare, self._replace_damaged) for _ in range(2)
        )
        self._pending: deque[tuple[Transaction, Future[Any]]] = deque()
        self._scheduled = False
        self._executor: ThreadPoolExecutor | None = None

    def _drain(self) -> None:
        self._scheduled = False
        batch = [self._pending.popleft() for _ in range(len(self._pending))]
        transactions = [transaction for transaction, _ in batch]
        outcomes = self._writer.run(lambda db: _commit(db, transactions)) or [None] * len(batch)
        for (_, future), outcome in zip(batch, outcomes, strict=True):
            if future.set_running_or_notify_cancel():
                future.set_result(outcome)

    def _replace_damaged(self, inode: int, error: Exception) -> None:
        """Move a damaged file out of the way, unless another process or connection has done so.

        Both connections are closed first. One that stayed open would share its `-shm` file, by name, with the successor
        of the damaged file: SQLite empties that file when it opens the successor, and the process ends by SIGBUS.
        """
        with self._reader.lock, self._writer.lock, suppress(OSError):
            self._reader.disconnect()
            self._writer.disconnect()
            if _inode(self._path) != inode:
                return
            damaged_path = self._path.with_name(f"{self._path.name}.damaged")
            self._reader.warn(f"is damaged ({error}): it is moved to {damaged_path} and replaced")
            for suffix in ("-wal", "-shm"):  # before the file, else they might be those of its successor
                self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
            self._path.replace(damaged_path)

    def _reopen_after_fork(self) -> None:
        """Open new connections in a forked child, which cannot use its parent's connections and thread."""
        if self._pid != os.getpid():
            self._open()


def _commit(db: sqlite3.Connection, transactions: list[Transaction]) -> list[Any]:
    db.execute("BEGIN IMMEDIATE")
    try:
        outcomes = [transaction(db) for transaction in transactions]
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")
    return outcomes


def _close_connection(connection: sqlite3.Connection) -> None:
    with suppress(sqlite3.Error):
        connection.close()


def _inode(path: Path) -> int:
    try:
        return path.stat().st_ino
    except OSError:
        return 0
