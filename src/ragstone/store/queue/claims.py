"""Claim complete traces, and end a claim. A claim is a lease: one that is not ended in time is free for others.

A trace is complete when its root span has ended and nothing has come for the settle time, or when it has waited too
long for its root. A worker that lost its lease, or whose trace has got new records meanwhile, can end nothing.
"""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import uuid4

from sqlalchemy import ColumnElement, Connection, Engine, and_, or_, select, update

from ragstone.store.queue.intake import DEAD, DONE, OPEN
from ragstone.store.schema.tables import TRACE_RECORDS, TRACES
from ragstone.store.write.rows import storable_text
from ragstone.traces.span import Record, record_from_json


@dataclass(frozen=True, slots=True)
class CompletionRule:
    """When a trace is complete.

    Attributes:
        settle: seconds without a new record after which a trace with a root is complete.
        patience: seconds since its last record after which a trace without a root is taken as it is.
    """

    settle: float = 10.0
    patience: float = 300.0


DEFAULT_RULE = CompletionRule()


@dataclass(frozen=True, slots=True)
class ClaimedTrace:
    """A trace that this worker may judge until its lease ends.

    Attributes:
        trace_id: the trace.
        revision: 1, or more where records came after it was judged.
        records: its records.
        count: how many they were when it was claimed.
        received: when its first record came, seconds since 1970.
        attempts: how often it was claimed, this time included.
        lease: what the claim is known by.
    """

    trace_id: str
    revision: int
    records: tuple[Record, ...]
    count: int
    received: float
    attempts: int
    lease: str


def claim_traces(
    engine: Engine, most: int, *, rule: CompletionRule, duration: float
) -> tuple[ClaimedTrace, ...]:
    """Claim complete traces, those that have waited longest first.

    Args:
        engine: the database.
        most: how many at most.
        rule: when a trace is complete.
        duration: seconds until the claim ends by itself.
    """
    of, now, lease = TRACES.c, time.time(), uuid4().hex
    ready = select(of.trace_id).where(_is_ready(rule, now)).order_by(of.last_received).limit(most)
    chosen = of.trace_id.in_(ready.with_for_update(skip_locked=True))
    values = {"lease": lease, "lease_until": now + duration, "attempts": of.attempts + 1}
    with engine.begin() as connection:
        if not connection.execute(update(TRACES).where(chosen).values(**values)).rowcount:
            return ()
        query = select(TRACES).where(of.lease == lease).order_by(of.first_received, of.trace_id)
        rows = connection.execute(query).all()
        return tuple(
            ClaimedTrace(
                row.trace_id,
                row.revision,
                _records(connection, row.trace_id),
                row.records,
                row.first_received,
                row.attempts,
                lease,
            )
            for row in rows
        )


def _is_ready(rule: CompletionRule, now: float) -> ColumnElement[bool]:
    of = TRACES.c
    complete = or_(
        and_(of.rooted.is_(True), of.last_received <= now - rule.settle),
        of.last_received <= now - rule.patience,
    )
    return and_(of.state == OPEN, of.records > 0, of.lease_until < now, of.not_before <= now, complete)


def _records(connection: Connection, trace: str) -> tuple[Record, ...]:
    query = select(TRACE_RECORDS.c.body).where(TRACE_RECORDS.c.trace_id == trace)
    return tuple(record_from_json(json.loads(body)) for body in connection.execute(query).scalars())


def end_claims(
    connection: Connection, claimed: Sequence[ClaimedTrace], *, dead: bool = False, error: str = ""
) -> tuple[ClaimedTrace, ...]:
    """Mark traces as judged, or given up; return those for which the claim still held.

    The others were claimed by somebody else meanwhile, or got new records: what was measured of them is void.
    """
    of = TRACES.c
    held: list[ClaimedTrace] = []
    for trace in sorted(claimed, key=lambda one: one.trace_id):
        same = and_(of.trace_id == trace.trace_id, of.lease == trace.lease)
        unchanged = and_(same, of.state == OPEN, of.records == trace.count)
        values = {"state": DEAD if dead else DONE, "lease": "", "lease_until": 0.0}
        told = {"error": storable_text(error)} if error else {}
        if connection.execute(update(TRACES).where(unchanged).values(**values, **told)).rowcount:
            held.append(trace)
        else:
            void = update(TRACES).where(same).values(lease="", lease_until=0.0, attempts=0)
            connection.execute(void)
    return tuple(held)


def retry_later(engine: Engine, claimed: Sequence[ClaimedTrace], *, pause: float, error: str) -> None:
    """End claims without a result: the traces are free again after `pause` seconds."""
    of = TRACES.c
    values = {
        "lease": "",
        "lease_until": 0.0,
        "not_before": time.time() + pause,
        "error": storable_text(error),
    }
    with engine.begin() as connection:
        for trace in sorted(claimed, key=lambda one: one.trace_id):
            same = and_(of.trace_id == trace.trace_id, of.lease == trace.lease)
            connection.execute(update(TRACES).where(same).values(**values))


def extend_claims(engine: Engine, claimed: Sequence[ClaimedTrace], duration: float) -> None:
    """Let claims that still hold last for so many seconds more."""
    leases = {trace.lease for trace in claimed}
    ids = {trace.trace_id for trace in claimed}
    of = TRACES.c
    ours = and_(of.lease.in_(leases), of.trace_id.in_(ids))
    with engine.begin() as connection:
        connection.execute(update(TRACES).where(ours).values(lease_until=time.time() + duration))
