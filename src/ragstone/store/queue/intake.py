"""Put records of traces into the queue: all of a request in one transaction, each record once.

A record is identified by a hash over its content, so a request that is sent again changes nothing. New records of a
trace that was judged already open it again, as its next revision.
"""

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import Connection, Engine

from ragstone.store.schema.tables import TRACE_RECORDS, TRACES
from ragstone.store.write.bulk import Row, insert_rows, padded, placeholders
from ragstone.store.write.rows import digest
from ragstone.traces.span import Record, Span, session_key

OPEN, DONE, DEAD = "open", "done", "dead"
"""States of a trace: it waits for records or for a worker, was judged, or was given up."""

_USER_KEYS = (
    "user.id",
    "enduser.id",
    "langfuse.user.id",
    "mlflow.trace.user",
    "traceloop.association.properties.user_id",
    "ai.telemetry.metadata.userId",
)
_MAX_RECORDS_PER_QUERY = 256
_LOCK_ROW = "ON CONFLICT (trace_id) DO UPDATE SET trace_id = excluded.trace_id"
_ADD_COUNTS = """ON CONFLICT (trace_id) DO UPDATE SET
records = traces.records + excluded.records,
bytes = traces.bytes + excluded.bytes,
last_received = excluded.last_received,
not_before = excluded.not_before,
rooted = traces.rooted OR excluded.rooted,
user_hash = CASE WHEN excluded.user_hash = '' THEN traces.user_hash ELSE excluded.user_hash END,
session = CASE WHEN excluded.session = '' OR (traces.session <> '' AND traces.session < excluded.session)
THEN traces.session ELSE excluded.session END,
revision = traces.revision + CASE WHEN traces.state = 'open' THEN 0 ELSE 1 END,
attempts = CASE WHEN traces.state = 'open' THEN traces.attempts ELSE 0 END,
error = CASE WHEN traces.state = 'open' THEN traces.error ELSE '' END,
state = excluded.state"""
"""Adds new records to the counts of a trace, and opens it again if it was judged or given up."""

RecordKey = tuple[str, str]
"""Trace and digest of a record."""


@dataclass(frozen=True, slots=True)
class PutCounts:
    """The outcome of storing the records of a request: how many were new, how many were stored before.

    `reopened` traces were judged before, and will be again; `large` has a line for each record that is too large.
    """

    stored: int
    repeated: int
    reopened: int = 0
    large: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RecordBatch:
    """The records of one request, as rows.

    Attributes:
        rows: trace and digest → row.
        rooted: traces whose root span is among them.
        users: trace → its user.
        sessions: trace → the key of its session.
        large: a line for each record that was left out because it is too large.
    """

    rows: Mapping[RecordKey, Row]
    rooted: frozenset[str]
    users: Mapping[str, str]
    sessions: Mapping[str, str]
    large: tuple[str, ...] = ()

    def counts(self, new: AbstractSet[RecordKey], reopened: AbstractSet[str]) -> PutCounts:
        """Return the counts of this batch, given all new records and all reopened traces."""
        new_keys = self.rows.keys() & new
        opened = {trace for trace, _ in new_keys} & reopened
        return PutCounts(len(new_keys), len(self.rows) - len(new_keys), len(opened), self.large)


class TooMuchToStore(Exception):  # noqa: N818  (reads as what happened)
    """The records of a request take more bytes than allowed; the message gives the limit."""


def record_batch(
    records: Iterable[tuple[Record, Record]], largest: int | None, total: int | None = None
) -> RecordBatch:
    """Return the rows of records, each written as JSON once.

    Each record is given as it was received, from which user and session are read, and as it is to be stored. `largest`
    and `total` are the bytes of JSON that a record, and all of them with those that are left out, may have: each span
    repeats the attributes of its resource, so a small request may take very many.

    Raises:
        TooMuchToStore: they have more.
    """
    size = 0
    rows: dict[RecordKey, Row] = {}
    rooted: set[str] = set()
    users: dict[str, str] = {}
    sessions: dict[str, str] = {}
    large: list[str] = []
    for sent, kept in records:
        row = record_row(kept)
        size += len(row["body"])
        if total is not None and size > total:
            raise TooMuchToStore(f"The records take more than {total / 1_000_000:g} MB in the store.")
        if largest is not None and len(row["body"]) > largest:
            max_mb = largest / 1_000_000
            large.append(f"span {sent.span_id} has {len(row['body'])} bytes: the maximum is {max_mb:g} MB")
            continue
        trace, user, session = sent.trace_id, user_of(sent), session_key(sent)
        if user is not None:
            users[trace] = user
        if session is not None:
            sessions[trace] = min(session, sessions.get(trace, session))
        if isinstance(sent, Span) and sent.parent_id is None and sent.end_ns:
            rooted.add(trace)
        rows[row["trace_id"], row["digest"]] = row
    return RecordBatch(rows, frozenset(rooted), users, sessions, tuple(large))


def user_of(record: Record) -> str | None:
    """Return the user that a span names."""
    attributes: Mapping[str, Any] = record.attributes if isinstance(record, Span) else {}
    user = next((attributes[name] for name in _USER_KEYS if attributes.get(name) not in (None, "")), None)
    return None if user is None else str(user)


def record_row(record: Record) -> Row:
    """Return the row of a record; its digest is equal for equal content, independent of the format it was sent in."""
    body = json.dumps(record.to_json(), sort_keys=True, separators=(",", ":"), default=str)
    return {"trace_id": record.trace_id, "digest": digest(body), "body": body}


def put_batches(engine: Engine, batches: Sequence[RecordBatch]) -> list[PutCounts]:
    """Store the records of several requests in one transaction; on return they are committed."""
    rows = {key: row for batch in batches for key, row in batch.rows.items()}
    if not rows:
        return [batch.counts(set(), set()) for batch in batches]
    sorted_rows = [rows[key] for key in sorted(rows)]
    users = {trace: user for batch in batches for trace, user in batch.users.items()}
    # The least, if the spans of a trace name several, so that their order does not matter.
    sessions: dict[str, str] = {}
    for trace, session in (item for batch in batches for item in batch.sessions.items()):
        sessions[trace] = min(session, sessions.get(trace, session))
    rooted = frozenset[str]().union(*(batch.rooted for batch in batches))
    now = time.time()
    traces = list(dict.fromkeys(row["trace_id"] for row in sorted_rows))
    with engine.begin() as connection:
        insert_rows(connection, TRACES, [_trace_row(trace, now) for trace in traces], _LOCK_ROW)
        existing, closed = _read_existing(connection, sorted_rows)
        new = [row for row in sorted_rows if (row["trace_id"], row["digest"]) not in existing]
        insert_rows(connection, TRACE_RECORDS, new)
        added: dict[str, list[Row]] = {}
        for row in new:
            added.setdefault(row["trace_id"], []).append(row)
        reopened = closed & added.keys()
        changes = [
            {
                **_trace_row(trace, now),
                "records": len(trace_rows),
                "bytes": sum(len(row["body"]) for row in trace_rows),
                "rooted": trace in rooted,
                "user_hash": digest(users[trace]) if trace in users else "",
                "session": sessions.get(trace, ""),
            }
            for trace, trace_rows in added.items()
        ]
        insert_rows(connection, TRACES, changes, _ADD_COUNTS)
    keys = {(row["trace_id"], row["digest"]) for row in new}
    counts: list[PutCounts] = []
    for batch in batches:
        counts.append(batch.counts(keys, reopened))
        keys -= batch.rows.keys()  # a record in two requests is new in the first only
    return counts


_NEW_TRACE = {
    "state": OPEN,
    "revision": 1,
    "rooted": False,
    **dict.fromkeys(("records", "bytes", "attempts"), 0),
    **dict.fromkeys(("not_before", "lease_until"), 0.0),
    **dict.fromkeys(("user_hash", "session", "lease", "error"), ""),
}


def _trace_row(trace: str, now: float) -> Row:
    return {"trace_id": trace, "first_received": now, "last_received": now, **_NEW_TRACE}


def _read_existing(connection: Connection, rows: Sequence[Row]) -> tuple[set[RecordKey], set[str]]:
    """Return which of the records are stored, and which of their traces were judged or given up."""
    existing: set[RecordKey] = set()
    closed: set[str] = set()
    for start in range(0, len(rows), _MAX_RECORDS_PER_QUERY):
        batch = rows[start : start + _MAX_RECORDS_PER_QUERY]
        digests = padded([row["digest"] for row in batch])
        traces = padded(list(dict.fromkeys(row["trace_id"] for row in batch)))
        sql = placeholders(connection, _existing_sql(len(digests), len(traces)))
        for trace, state, stored in connection.exec_driver_sql(sql, (*digests, *traces)):
            if stored is not None:
                existing.add((trace, stored))
            if state != OPEN:
                closed.add(trace)
    return existing, closed


@cache
def _existing_sql(digests: int, traces: int) -> str:
    """Return the statement as text: SQLAlchemy takes longer to build it than the database takes to answer."""
    return (
        "SELECT t.trace_id, t.state, r.digest FROM traces t LEFT JOIN trace_records r "  # noqa: S608  (question marks)
        f"ON r.trace_id = t.trace_id AND r.digest IN ({', '.join('?' * digests)}) "
        f"WHERE t.trace_id IN ({', '.join('?' * traces)})"
    )
