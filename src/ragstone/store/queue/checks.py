"""Periodic checks of a watch: the last outcome of each check, and the claim of one process on the next."""

import time
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Engine, delete

from ragstone.store.queue.deliveries import Delivery, claim_delivery, end_delivery
from ragstone.store.queue.watch_state import read_named, write_named
from ragstone.store.schema.tables import WATCH_STATE

_RETRY_SECONDS = 600.0


def claim_check(engine: Engine, watch: str, name: str, every: float, *, duration: float) -> Delivery | None:
    """Return the claim on a check that is due, once in `every` seconds over all processes; None where none is.

    Args:
        engine: the database.
        watch: the watch.
        name: name of the check.
        every: seconds between two checks.
        duration: seconds until the claim expires.
    """
    claim = Delivery(watch, f"check {name}", str(int(time.time() // max(every, 1.0))))
    return claim if claim_delivery(engine, claim, duration=duration) else None


def end_check(engine: Engine, turn: Delivery, *, done: bool) -> None:
    """End a claim; a check that failed is due again after ten minutes."""
    end_delivery(engine, turn, taken=done, pause=_RETRY_SECONDS)


def read_check(engine: Engine, watch: str, name: str) -> Mapping[str, Any]:
    """Return the last outcome of a check; empty before the first."""
    return read_named(engine, watch, f"check {name}")


def save_check(engine: Engine, watch: str, name: str, outcome: Mapping[str, Any]) -> None:
    """Save the outcome of a check, replacing the last one."""
    with engine.begin() as connection:
        write_named(connection, watch, f"check {name}", outcome)


def remove_check(connection: Connection, name: str) -> None:
    """Delete the outcomes of a check, of every watch."""
    connection.execute(delete(WATCH_STATE).where(WATCH_STATE.c.name == f"check {name}"))
