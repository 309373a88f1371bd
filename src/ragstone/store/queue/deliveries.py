"""Deliveries of alarm states to receivers: each is sent once, also with several processes on one store."""

import json
import time
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, func, select, update

from ragstone.store.queue.settlement import write_named
from ragstone.store.schema.tables import TRACES, WATCH_STATE
from ragstone.store.write.aggregates import insert_into

_NAME = "deliveries"


@dataclass(frozen=True, slots=True)
class Delivery:
    """One message to one receiver.

    Attributes:
        watch: the watch.
        key: receiver and alarm.
        version: version of the alarm's state; a delivered version is not sent again.
    """

    watch: str
    key: str
    version: str


def delivered_version(engine: Engine, watch: str, key: str) -> str:
    """Return the last version that was delivered; empty before the first."""
    c = WATCH_STATE.c
    query = select(c.body).where(c.watch == watch, c.name == _NAME)
    with engine.connect() as connection:
        body = connection.execute(query).scalar()
    return str(json.loads(body).get(key, {}).get("version", "")) if body else ""


def claim_delivery(engine: Engine, delivery: Delivery, *, duration: float) -> bool:
    """Return whether this process is to send a message; if so, others wait for `duration` seconds."""
    now = time.time()
    with engine.begin() as connection:
        state = _lock_and_read(connection, delivery.watch)
        entry = state.get(delivery.key, {})
        if entry.get("version") == delivery.version or entry.get("until", 0.0) > now:
            return False
        state[delivery.key] = {**entry, "until": now + duration}
        write_named(connection, delivery.watch, _NAME, json.dumps(state))
    return True


def end_delivery(engine: Engine, delivery: Delivery, *, taken: bool, pause: float) -> None:
    """Record that a message was accepted, or that it is to be sent again after `pause` seconds."""
    with engine.begin() as connection:
        state = _lock_and_read(connection, delivery.watch)
        entry = state.get(delivery.key, {})
        state[delivery.key] = (
            {"version": delivery.version}
            if taken
            else {**entry, "until": time.time() + pause, "failures": entry.get("failures", 0) + 1}
        )
        write_named(connection, delivery.watch, _NAME, json.dumps(state))


def last_received(engine: Engine) -> float | None:
    """Return when the last record was received, seconds since 1970; None before the first."""
    with engine.connect() as connection:
        return connection.execute(select(func.max(TRACES.c.last_received))).scalar()


def begun(engine: Engine, watch: str) -> float | None:
    """Return since when a watch has its current plan, seconds since 1970; None before it began."""
    c = WATCH_STATE.c
    with engine.connect() as connection:
        query = select(c.updated).where(c.watch == watch, c.name == "plan")
        return connection.execute(query).scalar()


def _lock_and_read(connection: Connection, watch: str) -> dict[str, Any]:
    c = WATCH_STATE.c
    row = {"watch": watch, "name": _NAME, "body": "{}", "updated": time.time()}
    connection.execute(insert_into(connection, WATCH_STATE).on_conflict_do_nothing(), [row])
    key = (c.watch == watch, c.name == _NAME)
    connection.execute(update(WATCH_STATE).where(*key).values(name=_NAME))  # takes the lock, also in SQLite
    state: dict[str, Any] = json.loads(connection.execute(select(c.body).where(*key)).scalar() or "{}")
    return state
