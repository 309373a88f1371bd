"""Claims all traces of a session at once: first the oldest, then the others; if one is taken, all are released.

No step waits for a lock that the transaction of an incoming request may hold, because that could deadlock.
"""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, exists, or_, select, update

from ragstone.store.queue.intake import OPEN
from ragstone.store.schema.tables import TRACES


def session_is_ready(now: float, idle: float, longest: float) -> ColumnElement[bool]:
    """Return the condition that a trace is the oldest of a complete, unclaimed session.

    A trace without a session is a session by itself.

    Args:
        now: seconds since 1970.
        idle: seconds without a new record after which a session is complete.
        longest: seconds since its first record after which it is taken as it is.
    """
    of, other = TRACES.c, TRACES.alias("other")
    in_session = and_(other.c.session == of.session, other.c.state == OPEN, other.c.trace_id != of.trace_id)
    older = or_(
        other.c.first_received < of.first_received,
        and_(other.c.first_received == of.first_received, other.c.trace_id < of.trace_id),
    )
    busy = or_(other.c.lease_until >= now, other.c.not_before > now)
    is_first = ~exists().where(in_session, or_(older, busy))
    is_quiet = and_(
        of.last_received <= now - idle, ~exists().where(in_session, other.c.last_received > now - idle)
    )
    lasts_long = of.first_received <= now - longest
    alone = and_(of.session == "", of.last_received <= now - idle)
    return or_(alone, and_(of.session != "", or_(is_quiet, lasts_long), is_first))


def claim_session_rest(connection: Connection, lease: str, values: Mapping[str, Any], now: float) -> None:
    """Claim the other traces of the sessions of which a lease has a trace.

    If a trace of a session is being written, or is claimed by another worker, the session is released for a later
    claim.
    """
    of = TRACES.c
    sessions = select(of.session).where(of.lease == lease, of.session != "")
    rest = select(of.trace_id).where(
        of.session.in_(sessions), of.state == OPEN, of.lease != lease, of.lease_until < now
    )
    chosen = of.trace_id.in_(rest.with_for_update(skip_locked=True))
    connection.execute(update(TRACES).where(chosen).values(**values))
    incomplete = select(of.session).where(of.session.in_(sessions), of.state == OPEN, of.lease != lease)
    released = {"lease": "", "lease_until": 0.0, "attempts": of.attempts - 1}
    connection.execute(update(TRACES).where(of.lease == lease, of.session.in_(incomplete)).values(**released))
