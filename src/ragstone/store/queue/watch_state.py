"""What the processes of a watch share, as JSON by name: its plan, state, checks, deliveries, and their health."""

import json
import time
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Engine, select, update

from ragstone.store.schema.tables import WATCH_STATE
from ragstone.store.write.aggregates import insert_into


def read_named(engine: Engine, watch: str, name: str) -> dict[str, Any]:
    """Return the values of that name; empty before they are first written."""
    with engine.connect() as connection:
        return _read(connection, watch, name)


def lock_named(connection: Connection, watch: str, name: str) -> dict[str, Any]:
    """Return the values of that name, and exclude other processes from them until the transaction ends."""
    c = WATCH_STATE.c
    _insert(connection, watch, name)
    statement = update(WATCH_STATE).where(c.watch == watch, c.name == name)
    connection.execute(statement.values(name=name))  # takes the lock, also in SQLite
    return _read(connection, watch, name)


def write_named(connection: Connection, watch: str, name: str, values: Mapping[str, Any]) -> None:
    """Write the values of that name, and the time."""
    _insert(connection, watch, name)
    c = WATCH_STATE.c
    statement = update(WATCH_STATE).where(c.watch == watch, c.name == name)
    connection.execute(statement.values(body=json.dumps(values), updated=time.time()))


def _insert(connection: Connection, watch: str, name: str) -> None:
    row = {"watch": watch, "name": name, "body": "{}", "updated": time.time()}
    connection.execute(insert_into(connection, WATCH_STATE).on_conflict_do_nothing(), [row])


def _read(connection: Connection, watch: str, name: str) -> dict[str, Any]:
    c = WATCH_STATE.c
    body = connection.execute(select(c.body).where(c.watch == watch, c.name == name)).scalar()
    values: dict[str, Any] = json.loads(body) if body else {}
    return values
