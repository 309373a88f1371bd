"""Claims on complete traces, or on all traces of a complete session. A claim is a lease: unless ended, it expires.

A trace is complete when its root span has ended and nothing has come for the settle time, or when it has waited too
long for its root; a session when nothing of it has come for the idle time, or when it lasts too long. A worker cannot
end a claim whose lease it has lost, or whose traces have received new records in the meantime.
"""

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from sqlalchemy import ColumnElement, Connection, Engine, Select, and_, exists, or_, select, update
from sqlalchemy.engine import Row as DatabaseRow

from ragstone.errors import describe
from ragstone.store.queue.intake import DEAD, DONE, OPEN
from ragstone.store.schema.tables import TRACE_RECORDS, TRACES
from ragstone.store.write.rows import storable_text
from ragstone.traces.span import Record, record_from_json


@dataclass(frozen=True, slots=True)
class CompletionRule:
    """When a trace, or a session, is complete.

    Attributes:
        settle: seconds without a new record after which a trace with a root is complete.
        patience: seconds since its last record after which a trace without a root is taken as it is.
        idle: seconds without a new record after which a session is complete; None: each trace by itself.
        longest: seconds since its first record after which a session is taken as it is.
    """

    settle: float = 10.0
    patience: float = 300.0
    idle: float | None = None
    longest: float = 86_400.0


DEFAULT_RULE = CompletionRule()
_RELEASED = {"lease": "", "lease_until": 0.0}


@dataclass(frozen=True, slots=True)
class ClaimedUnit:
    """A trace, or the traces of a session, that this worker may judge until its lease ends.

    Attributes:
        key: the trace, or the session's key.
        session: the session's key; empty for a single trace.
        trace_id: the trace, or the first of the session.
        counts: trace → how many records it had when it was claimed.
        revision: 1, or more if records came after it was judged.
        received: when the first record of a trace, or the last one of a session, came: seconds since 1970.
        attempts: how often it was claimed, this time included.
        problem: why its records cannot be read; empty if they can.
    """

    key: str
    session: str
    trace_id: str
    counts: Mapping[str, int]
    revision: int
    records: tuple[Record, ...]
    received: float
    attempts: int
    lease: str
    problem: str = ""

    @property
    def count(self) -> int:
        """How many records its traces had when it was claimed."""
        return sum(self.counts.values())


def claim_units(
    engine: Engine, most: int, *, rule: CompletionRule, duration: float
) -> tuple[ClaimedUnit, ...]:
    """Claim at most so many complete traces, or sessions, for `duration` seconds, the longest waiting first."""
    c, now, lease = TRACES.c, time.time(), uuid4().hex
    ready = select(c.trace_id).where(_is_ready(rule, now)).order_by(c.last_received).limit(most)
    chosen = c.trace_id.in_(ready.with_for_update(skip_locked=True))
    values = {"lease": lease, "lease_until": now + duration, "attempts": c.attempts + 1}
    with engine.begin() as connection:
        if not connection.execute(update(TRACES).where(chosen).values(**values)).rowcount:
            return ()
        if rule.idle is not None:
            _claim_session_rest(connection, lease, values, now)
        query = select(TRACES).where(c.lease == lease).order_by(c.first_received, c.trace_id)
        groups: dict[str, list[DatabaseRow[Any]]] = {}
        for row in connection.execute(query):
            session = row.session if rule.idle is not None else ""
            groups.setdefault(session or row.trace_id, []).append(row)
        return tuple(_claimed_unit(connection, rule, key, rows) for key, rows in groups.items())


def _claimed_unit(
    connection: Connection, rule: CompletionRule, key: str, rows: Sequence[DatabaseRow[Any]]
) -> ClaimedUnit:
    session = rows[0].session if rule.idle is not None else ""
    session_traces = select(TRACES.c.trace_id).where(TRACES.c.session == session)
    records, problem = read_records(connection, session_traces if session else [row.trace_id for row in rows])
    return ClaimedUnit(
        key,
        session,
        rows[0].trace_id,
        {row.trace_id: row.records for row in rows},
        max(row.revision for row in rows),
        records,
        max(row.last_received for row in rows) if session else rows[0].first_received,
        max(row.attempts for row in rows),
        rows[0].lease,
        problem,
    )


def _is_ready(rule: CompletionRule, now: float) -> ColumnElement[bool]:
    c = TRACES.c
    settled = and_(c.rooted.is_(True), c.last_received <= now - rule.settle)
    complete = (
        or_(settled, c.last_received <= now - rule.patience)
        if rule.idle is None
        else _session_is_ready(now, rule.idle, rule.longest)
    )
    return and_(c.state == OPEN, c.records > 0, c.lease_until < now, c.not_before <= now, complete)


def _session_is_ready(now: float, idle: float, longest: float) -> ColumnElement[bool]:
    """Return the condition that a trace is the oldest of a complete, unclaimed session.

    A trace without a session is a session by itself.
    """
    c, other = TRACES.c, TRACES.alias("other")
    peer = and_(other.c.session == c.session, other.c.state == OPEN, other.c.trace_id != c.trace_id)
    older = or_(
        other.c.first_received < c.first_received,
        and_(other.c.first_received == c.first_received, other.c.trace_id < c.trace_id),
    )
    busy = or_(other.c.lease_until >= now, other.c.not_before > now)
    is_first = ~exists().where(peer, or_(older, busy))
    is_quiet = and_(c.last_received <= now - idle, ~exists().where(peer, other.c.last_received > now - idle))
    lasts_long = c.first_received <= now - longest
    is_single = and_(c.session == "", c.last_received <= now - idle)
    return or_(is_single, and_(c.session != "", or_(is_quiet, lasts_long), is_first))


def _claim_session_rest(connection: Connection, lease: str, values: Mapping[str, Any], now: float) -> None:
    """Claim the other traces of the sessions of which a lease has a trace.

    If a trace of a session is being written, or is claimed by another worker, the session is released for a later
    claim. No step waits for a lock that the transaction of an incoming request may hold, because that could deadlock.
    """
    c = TRACES.c
    sessions = select(c.session).where(c.lease == lease, c.session != "")
    rest = select(c.trace_id).where(
        c.session.in_(sessions), c.state == OPEN, c.lease != lease, c.lease_until < now
    )
    chosen = c.trace_id.in_(rest.with_for_update(skip_locked=True))
    connection.execute(update(TRACES).where(chosen).values(**values))
    incomplete = select(c.session).where(c.session.in_(sessions), c.state == OPEN, c.lease != lease)
    is_incomplete = and_(c.lease == lease, c.session.in_(incomplete))
    connection.execute(update(TRACES).where(is_incomplete).values(**_RELEASED, attempts=c.attempts - 1))


def read_records(
    connection: Connection, traces: Select[tuple[str]] | Sequence[str]
) -> tuple[tuple[Record, ...], str]:
    """Return the records of traces, or why they cannot be read: one damaged record must not stop the other claims."""
    query = select(TRACE_RECORDS.c.body).where(TRACE_RECORDS.c.trace_id.in_(traces))
    texts = connection.execute(query).scalars().all()
    try:
        return tuple(record_from_json(json.loads(text)) for text in texts), ""
    except Exception as error:  # noqa: BLE001  (whatever a damaged record raises)
        return (), f"a stored record cannot be read: {describe(error)}"


def end_claims(
    connection: Connection, claimed: Sequence[ClaimedUnit], *, dead: bool = False, error: str = ""
) -> tuple[ClaimedUnit, ...]:
    """Mark traces as judged, or given up; return the claims that were still valid.

    The others were claimed by another worker in the meantime, or received new records: their results are invalid.
    """
    if not claimed:
        return ()
    c = TRACES.c
    same_lease = and_(c.trace_id.in_(_trace_ids(claimed)), c.lease.in_({claim.lease for claim in claimed}))
    unchanged = or_(
        *(
            and_(c.trace_id == trace, c.lease == claim.lease, c.records == count)
            for claim in sorted(claimed, key=lambda claim: claim.key)
            for trace, count in sorted(claim.counts.items())
        )
    )
    values = {"state": DEAD if dead else DONE} | ({"error": storable_text(error)} if error else {})
    connection.execute(update(TRACES).where(c.state == OPEN, unchanged).values(**values))
    query = select(c.trace_id).where(same_lease, c.state == values["state"])
    ended_ids = set(connection.execute(query).scalars())
    valid = [claim for claim in claimed if claim.counts.keys() <= ended_ids]
    invalid = _trace_ids(claim for claim in claimed if claim not in valid)
    if invalid:
        reopened = update(TRACES).where(same_lease, c.trace_id.in_(invalid))
        connection.execute(reopened.values(**_RELEASED, state=OPEN, attempts=0))
    connection.execute(update(TRACES).where(same_lease).values(**_RELEASED))
    return tuple(valid)


def retry_later(engine: Engine, claimed: Sequence[ClaimedUnit], *, pause: float, error: str) -> None:
    """End claims without a result: the traces are free again after `pause` seconds."""
    c = TRACES.c
    values = {**_RELEASED, "not_before": time.time() + pause, "error": storable_text(error)}
    with engine.begin() as connection:
        for claim in sorted(claimed, key=lambda claim: claim.key):
            condition = and_(c.trace_id.in_(claim.counts), c.lease == claim.lease)
            connection.execute(update(TRACES).where(condition).values(**values))


def extend_claims(engine: Engine, claimed: Sequence[ClaimedUnit], duration: float) -> None:
    """Extend claims that are still valid, to `duration` seconds from now."""
    c = TRACES.c
    condition = and_(c.lease.in_({claim.lease for claim in claimed}), c.trace_id.in_(_trace_ids(claimed)))
    with engine.begin() as connection:
        connection.execute(update(TRACES).where(condition).values(lease_until=time.time() + duration))


def _trace_ids(claimed: Iterable[ClaimedUnit]) -> list[str]:
    return [trace for claim in claimed for trace in claim.counts]
