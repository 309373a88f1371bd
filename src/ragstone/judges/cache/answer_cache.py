"""The answer cache: texts by key in one SQLite file, shared by any number of processes, bounded in size.

An entry with a wrong checksum, or a file that is not a database, is dropped. When the file is full, the least recently
used answers are deleted. A *claim* records that a process is asking for an answer; other processes wait for the answer
until the claim expires at the latest, so that a process that died does not block them.
"""

import asyncio
import sqlite3
from hashlib import blake2b
from pathlib import Path
from time import time

from ragstone.judges.cache.sqlite_file import SqliteFile

SCHEMA_VERSION = 1
"""Version of the tables; a file with another version is emptied."""

CLAIM_SECONDS = 30.0
_TOUCH_INTERVAL_SECONDS = 60
_ENTRY_OVERHEAD_BYTES = 120
_SHARE_AFTER_EVICTION = 0.9

_SCHEMA_STATEMENTS = (
    "DROP TABLE IF EXISTS answers",
    "DROP TABLE IF EXISTS claims",
    "DROP TABLE IF EXISTS size",
    "CREATE TABLE answers (key BLOB PRIMARY KEY, used INTEGER NOT NULL, checksum BLOB NOT NULL, text BLOB NOT NULL)",
    "CREATE INDEX answers_used ON answers (used)",
    "CREATE TABLE claims (key BLOB PRIMARY KEY, until REAL NOT NULL) WITHOUT ROWID",
    "CREATE TABLE size (bytes INTEGER NOT NULL)",
    "INSERT INTO size VALUES (0)",
    f"""CREATE TRIGGER put AFTER INSERT ON answers BEGIN
        UPDATE size SET bytes = bytes + length(new.text) + {_ENTRY_OVERHEAD_BYTES}; END""",  # noqa: S608  (a number of ours)
    f"""CREATE TRIGGER taken AFTER DELETE ON answers BEGIN
        UPDATE size SET bytes = bytes - length(old.text) - {_ENTRY_OVERHEAD_BYTES}; END""",  # noqa: S608  (a number of ours)
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)


class AnswerCache:
    """Texts by key. Safe for several threads, event loops and processes."""

    def __init__(self, path: Path, *, max_bytes: int) -> None:
        """Store at most about `max_bytes` in the file at `path`, which is created when first needed."""
        self.path = path
        self.max_bytes = max_bytes
        self._database = SqliteFile(path, _prepare_connection)

    def read(self, key: bytes) -> str | None:
        """Return the text under `key`, None if there is no entry or its checksum is wrong."""
        row = self._database.read(
            lambda db: db.execute("SELECT checksum, text, used FROM answers WHERE key = ?", (key,)).fetchone()
        )
        if row is None:
            return None
        checksum, text, used = row
        if not isinstance(text, bytes) or checksum != _checksum(key, text):
            self.drop(key)
            return None
        if used < time() - _TOUCH_INTERVAL_SECONDS:
            self._database.submit(
                lambda db: _execute(db, "UPDATE answers SET used = ? WHERE key = ?", int(time()), key)
            )
        return text.decode("utf-8", "surrogatepass")

    def write(self, key: bytes, text: str) -> None:
        """Store `text` and release the claim on its key."""
        content = text.encode("utf-8", "surrogatepass")
        row = (key, int(time()), _checksum(key, content), content)

        def transaction(db: sqlite3.Connection) -> None:
            _execute(db, "DELETE FROM answers WHERE key = ?", key)
            _execute(db, "INSERT INTO answers (key, used, checksum, text) VALUES (?, ?, ?, ?)", *row)
            _execute(db, "DELETE FROM claims WHERE key = ?", key)
            _evict(db, self.max_bytes)

        self._database.submit(transaction)

    def drop(self, key: bytes) -> None:
        """Delete an entry that cannot be trusted."""
        self._database.submit(lambda db: _execute(db, "DELETE FROM answers WHERE key = ?", key))

    async def claim(self, key: bytes) -> bool:
        """Return True if the caller must ask for the answer, False if another process is already asking."""
        now = time()

        def transaction(db: sqlite3.Connection) -> bool:
            cursor = db.execute(
                "INSERT INTO claims (key, until) VALUES (:key, :until) "
                "ON CONFLICT (key) DO UPDATE SET until = :until WHERE until < :now",
                {"key": key, "until": now + CLAIM_SECONDS, "now": now},
            )
            return cursor.rowcount == 1

        claimed = await asyncio.wrap_future(self._database.submit(transaction))
        return claimed is not False  # without a writable file there is no other process to wait for

    def release(self, key: bytes) -> None:
        """Release a claim without an answer."""
        self._database.submit(lambda db: _execute(db, "DELETE FROM claims WHERE key = ?", key))

    def close(self) -> None:
        """Write the queued transactions and close the file; it opens again when needed."""
        self._database.close()


def _prepare_connection(db: sqlite3.Connection) -> None:
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = NORMAL")
    if _number(db, "PRAGMA user_version") != SCHEMA_VERSION:
        db.execute("BEGIN IMMEDIATE")
        if (
            _number(db, "PRAGMA user_version") != SCHEMA_VERSION
        ):  # unless another process created them meanwhile
            for statement in _SCHEMA_STATEMENTS:
                db.execute(statement)
        db.execute("COMMIT")


def _evict(db: sqlite3.Connection, max_bytes: int) -> None:
    """If the cache exceeds the allowed size, delete the least recently used answers until a tenth is free."""
    if _number(db, "SELECT bytes FROM size") <= max_bytes:
        return
    oldest = "DELETE FROM answers WHERE key IN (SELECT key FROM answers ORDER BY used LIMIT ?)"
    while _number(db, "SELECT bytes FROM size") > max_bytes * _SHARE_AFTER_EVICTION:
        count = _number(db, "SELECT count(*) FROM answers")
        if not count:
            return
        _execute(db, oldest, max(1, count // 20))


def _number(db: sqlite3.Connection, statement: str) -> int:
    return db.execute(statement).fetchone()[0]


def _execute(db: sqlite3.Connection, statement: str, *values: object) -> None:
    db.execute(statement, values)


def _checksum(key: bytes, content: bytes) -> bytes:
    """Return a checksum of text and key, since a damaged file might hold the text of another key."""
    return blake2b(content, key=key, digest_size=16).digest()
