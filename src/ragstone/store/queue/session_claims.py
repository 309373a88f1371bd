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


def claim_session_rest(connection: Connection, lease: str, values: Mapping[str, Any], now: float) -> None:
    """Claim the other traces of the sessions of which a lease has a trace.

    If a trace of a session is being written, or is claimed by another worker, the session is released for a later
    claim.
    """
    c = TRACES.c
    sessions = select(c.session).where(c.lease == lease, c.session != "")
    rest = select(c.trace_id).where(
        c.session.in_(sessions), c.state == OPEN, c.lease != lease, c.lease_until < now
    )
    chosen = c.trace_id.in_(rest.with_for_update(skip_locked=True))
    connection.execute(update(TRACES).where(chosen).values(**values))
    incomplete = select(c.session).where(c.session.in_(sessions), c.state == OPEN, c.lease != lease)
    released = {"lease": "", "lease_until": 0.0, "attempts": c.attempts - 1}
    connection.execute(update(TRACES).where(c.lease == lease, c.session.in_(incomplete)).values(**released))
