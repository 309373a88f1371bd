"""Deliveries of alarm states to receivers: each is sent once, also with several processes on one store."""

import time
from dataclasses import dataclass

from sqlalchemy import Engine, func, select

from ragstone.store.queue.watch_state import lock_named, read_named, write_named
from ragstone.store.schema.tables import TRACES, WATCH_STATE

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
    return str(read_named(engine, watch, _NAME).get(key, {}).get("version", ""))


def claim_delivery(engine: Engine, delivery: Delivery, *, duration: float) -> bool:
    """Return whether this process is to send a message; if so, others wait for `duration` seconds."""
    now = time.time()
    with engine.begin() as connection:
        state = lock_named(connection, delivery.watch, _NAME)
        entry = state.get(delivery.key, {})
        if entry.get("version") == delivery.version or entry.get("until", 0.0) > now:
            return False
        state[delivery.key] = {**entry, "until": now + duration}
        write_named(connection, delivery.watch, _NAME, state)
    return True


def end_delivery(engine: Engine, delivery: Delivery, *, taken: bool, pause: float) -> None:
    """Record that a message was accepted, or that it is to be sent again after `pause` seconds."""
    with engine.begin() as connection:
        state = lock_named(connection, delivery.watch, _NAME)
        entry = state.get(delivery.key, {})
        state[delivery.key] = (
            {"version": delivery.version}
            if taken
            else {**entry, "until": time.time() + pause, "failures": entry.get("failures", 0) + 1}
        )
        write_named(connection, delivery.watch, _NAME, state)


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
