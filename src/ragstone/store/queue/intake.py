"""Put records of traces into the queue: all of a request in one transaction, each record once.

A record is known by a hash over its content, so a request that is sent again changes nothing. New records of a trace
that was judged already open it again, as its next revision.
"""

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from sqlalchemy import Connection, Engine, case, literal, or_, select, update

from ragstone.store.schema.tables import TRACE_RECORDS, TRACES
from ragstone.store.write.bulk import Row, insert_rows
from ragstone.store.write.rows import digest
from ragstone.traces.span import Record, Span

OPEN, DONE, DEAD = "open", "done", "dead"
"""A trace waits for records or for a worker; was judged; or was given up."""

_USERS = (
    "user.id",
    "enduser.id",
    "langfuse.user.id",
    "mlflow.trace.user",
    "traceloop.association.properties.user_id",
    "ai.telemetry.metadata.userId",
)
_AT_ONCE = 400
_LOCK_ROW = "ON CONFLICT (trace_id) DO UPDATE SET trace_id = excluded.trace_id"


@dataclass(frozen=True, slots=True)
class PutCounts:
    """What became of the records of a request.

    Attributes:
        stored: records that are new.
        repeated: records that were stored before.
        reopened: traces that were judged before, and will be again.
    """

    stored: int
    repeated: int
    reopened: int = 0


def user_of(record: Record) -> str | None:
    """Return the user that a span names."""
    attributes: Mapping[str, Any] = record.attributes if isinstance(record, Span) else {}
    found = next((attributes[name] for name in _USERS if attributes.get(name) not in (None, "")), None)
    return None if found is None else str(found)


def record_row(record: Record) -> Row:
    """Return the row of a record; its digest is equal for equal content, whatever it was sent as."""
    body = json.dumps(record.to_json(), sort_keys=True, separators=(",", ":"), default=str)
    return {
        "trace_id": record.trace_id,
        "digest": blake2b(body.encode(), digest_size=16).hexdigest(),
        "body": body,
    }


def put_rows(
    engine: Engine, rows: Iterable[Row], *, rooted: frozenset[str], users: Mapping[str, str]
) -> PutCounts:
    """Store records; on return they are committed.

    Args:
        engine: the database.
        rows: what `record_row` returned.
        rooted: traces whose root span is among the records.
        users: trace → its user.
    """
    unique = {(row["trace_id"], row["digest"]): row for row in rows}
    given = sorted(unique.values(), key=lambda row: (row["trace_id"], row["digest"]))
    if not given:
        return PutCounts(0, 0)
    now = time.time()
    traces = list(dict.fromkeys(row["trace_id"] for row in given))
    reopened = 0
    with engine.begin() as connection:
        insert_rows(connection, TRACES, [_new_trace(trace, now) for trace in traces], _LOCK_ROW)
        known = _known(connection, given)
        new = [row for row in given if (row["trace_id"], row["digest"]) not in known]
        insert_rows(connection, TRACE_RECORDS, new)
        by_trace: dict[str, list[Row]] = {}
        for row in new:
            by_trace.setdefault(row["trace_id"], []).append(row)
        for trace, added in by_trace.items():
            reopened += _add(connection, trace, added, rooted=trace in rooted, user=users.get(trace), now=now)
    return PutCounts(len(new), len(unique) - len(new), reopened)


def _new_trace(trace: str, now: float) -> Row:
    return {
        "trace_id": trace,
        "state": OPEN,
        "revision": 1,
        "records": 0,
        "bytes": 0,
        "first_received": now,
        "last_received": now,
        "rooted": False,
        "user_hash": "",
        "attempts": 0,
        "not_before": 0.0,
        "lease": "",
        "lease_until": 0.0,
        "error": "",
    }


def _known(connection: Connection, rows: Sequence[Row]) -> set[tuple[str, str]]:
    of = TRACE_RECORDS.c
    found: set[tuple[str, str]] = set()
    for start in range(0, len(rows), _AT_ONCE):
        some = rows[start : start + _AT_ONCE]
        query = select(of.trace_id, of.digest).where(
            of.trace_id.in_({row["trace_id"] for row in some}), of.digest.in_({row["digest"] for row in some})
        )
        found |= {(trace, key) for trace, key in connection.execute(query)}
    return found


def _add(
    connection: Connection, trace: str, rows: Sequence[Row], *, rooted: bool, user: str | None, now: float
) -> bool:
    """Count new records of a trace, and open it again where it was judged; return whether it was."""
    of = TRACES.c
    this = of.trace_id == trace
    closed = of.state != OPEN
    again = connection.execute(
        update(TRACES).where(this, closed).values(state=OPEN, revision=of.revision + 1, attempts=0, error="")
    ).rowcount
    values: dict[str, Any] = {
        "records": of.records + len(rows),
        "bytes": of.bytes + sum(len(row["body"]) for row in rows),
        "last_received": now,
        "not_before": 0.0,
        "rooted": case((or_(of.rooted, literal(rooted)), True), else_=False),
    }
    if user is not None:
        values["user_hash"] = digest(user)
    connection.execute(update(TRACES).where(this).values(**values))
    return bool(again)
