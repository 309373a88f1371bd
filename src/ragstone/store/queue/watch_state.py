"""What the processes of a watch share, as JSON by name: its plan, state, checks, deliveries, and their health.

A turn, such as the delivery of an alarm or a check that is due, is taken by one process: until its lease ends, or it is
done, no other one takes it.
"""

import json
import os
import socket
import time
from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, delete, func, select, update

from ragstone.store.schema.tables import TRACES, WATCH_STATE
from ragstone.store.write.aggregates import insert_into

_C = WATCH_STATE.c
PLAN, STATE, _TURNS = "plan", "state", "deliveries"
PROCESS = "process "  # beginning of the names under which processes save their health
SILENT_SECONDS = 60.0  # seconds without a sign of life after which a process is taken to have ended
_CHECK_RETRY_SECONDS = 600.0


def read_named(engine: Engine, watch: str, name: str) -> dict[str, Any]:
    """Return the values of that name; empty before they are first written."""
    with engine.connect() as connection:
        return _read(connection, watch, name)


def lock_named(connection: Connection, watch: str, name: str) -> dict[str, Any]:
    """Return the values of that name, and exclude other processes from them until the transaction ends."""
    _update(connection, watch, name, {"name": name})  # takes the lock, also in SQLite
    return _read(connection, watch, name)


def write_named(connection: Connection, watch: str, name: str, values: Mapping[str, Any]) -> None:
    """Write the values of that name, and the time."""
    _update(connection, watch, name, {"body": json.dumps(values), "updated": time.time()})


def _update(connection: Connection, watch: str, name: str, columns: Mapping[str, Any]) -> None:
    row = {"watch": watch, "name": name, "body": "{}", "updated": time.time()}
    connection.execute(insert_into(connection, WATCH_STATE).on_conflict_do_nothing(), [row])
    connection.execute(update(WATCH_STATE).where(_C.watch == watch, _C.name == name).values(**columns))


def _read(connection: Connection, watch: str, name: str) -> dict[str, Any]:
    body = connection.execute(select(_C.body).where(_C.watch == watch, _C.name == name)).scalar()
    values: dict[str, Any] = json.loads(body) if body else {}
    return values


class WatchTurn(NamedTuple):
    """Something that one process does once for each version, such as the state of an alarm."""

    watch: str
    key: str
    version: str


def take_turn(engine: Engine, turn: WatchTurn, *, duration: float) -> bool:
    """Return whether this process is to do it; if so, others wait for `duration` seconds."""
    if not _is_free(read_named(engine, turn.watch, _TURNS), turn):  # the usual case, which needs no lock
        return False
    with engine.begin() as connection:
        state = lock_named(connection, turn.watch, _TURNS)
        if not _is_free(state, turn):
            return False
        state[turn.key] = {**state.get(turn.key, {}), "until": time.time() + duration}
        write_named(connection, turn.watch, _TURNS, state)
    return True


def _is_free(state: Mapping[str, Any], turn: WatchTurn) -> bool:
    entry = state.get(turn.key, {})
    return entry.get("version", "") != turn.version and entry.get("until", 0.0) <= time.time()


def end_turn(engine: Engine, turn: WatchTurn, *, done: bool, pause: float) -> None:
    """Record that it is done, or that it is to be tried again after `pause` seconds."""
    with engine.begin() as connection:
        state = lock_named(connection, turn.watch, _TURNS)
        entry = state.get(turn.key, {})
        failed = {**entry, "until": time.time() + pause, "failures": entry.get("failures", 0) + 1}
        state[turn.key] = {"version": turn.version} if done else failed
        write_named(connection, turn.watch, _TURNS, state)


def take_check(engine: Engine, watch: str, name: str, every: float, *, duration: float) -> WatchTurn | None:
    """Return the turn of a check that is due, once in `every` seconds over all processes; None where none is."""
    turn = WatchTurn(watch, _check_name(name), str(int(time.time() // max(every, 1.0))))
    return turn if take_turn(engine, turn, duration=duration) else None


def end_check(engine: Engine, turn: WatchTurn, *, done: bool) -> None:
    """End the turn of a check; one that failed is due again after ten minutes."""
    end_turn(engine, turn, done=done, pause=_CHECK_RETRY_SECONDS)


def read_check(engine: Engine, watch: str, name: str) -> Mapping[str, Any]:
    """Return the last outcome of a check; empty before the first."""
    return read_named(engine, watch, _check_name(name))


def save_check(engine: Engine, watch: str, name: str, outcome: Mapping[str, Any]) -> None:
    """Save the outcome of a check, replacing the last one."""
    with engine.begin() as connection:
        write_named(connection, watch, _check_name(name), outcome)


def remove_check(connection: Connection, name: str) -> None:
    """Delete the outcomes of a check, of every watch."""
    connection.execute(delete(WATCH_STATE).where(_C.name == _check_name(name)))


def _check_name(name: str) -> str:
    return f"check {name}"


def save_plan(engine: Engine, watch: str, plan: str) -> None:
    """Save the plan of a watch, as JSON, for display."""
    values = json.loads(plan)
    with engine.begin() as connection:
        if lock_named(connection, watch, PLAN) != values:  # the time tells since when it has this plan
            write_named(connection, watch, PLAN, values)


def read_plans(engine: Engine) -> dict[str, str]:
    """Return the watches of a store, the latest first: name → plan as JSON."""
    query = select(_C.watch, _C.body).where(_C.name == PLAN).order_by(_C.updated.desc())
    with engine.connect() as connection:
        return {row.watch: row.body for row in connection.execute(query)}


def read_last_sign(engine: Engine, watch: str) -> float | None:
    """Return when the last record was received, or the current plan of a watch began if that is later; None before."""
    with engine.connect() as connection:
        received = connection.execute(select(func.max(TRACES.c.last_received))).scalar()
        query = select(_C.updated).where(_C.watch == watch, _C.name == PLAN)
        begun = connection.execute(query).scalar()
    return max((moment for moment in (received, begun) if moment is not None), default=None)


class ProcessHealth(NamedTuple):
    """A process of a watch.

    Attributes:
        name: machine and process id.
        seen: its last sign of life, seconds since 1970.
        failing: what fails in it → why, and since when: a sentence each.
    """

    name: str
    seen: float
    failing: Mapping[str, str]

    def is_silent(self, now: float) -> bool:
        """Return whether it has given no sign of life for a minute."""
        return now - self.seen > SILENT_SECONDS


def own_name() -> str:
    """Return the name of this process."""
    return f"{socket.gethostname()} {os.getpid()}"


def save_health(engine: Engine, watch: str, failing: Mapping[str, str]) -> None:
    """Save a sign of life of this process."""
    with engine.begin() as connection:
        write_named(connection, watch, PROCESS + own_name(), failing)


def end_health(engine: Engine, watch: str) -> None:
    """Remove this process, because it ends as it should."""
    with engine.begin() as connection:
        connection.execute(delete(WATCH_STATE).where(_C.watch == watch, _C.name == PROCESS + own_name()))


def remove_silent(engine: Engine, watch: str) -> None:
    """Remove the processes that have ended without saying so, because another one takes their place."""
    silent = (_C.watch == watch, _C.name.startswith(PROCESS), _C.updated < time.time() - SILENT_SECONDS)
    with engine.begin() as connection:
        connection.execute(delete(WATCH_STATE).where(*silent))


def read_health(engine: Engine, watch: str) -> list[ProcessHealth]:
    """Return the processes of a watch, by name."""
    query = select(_C.name, _C.updated, _C.body).where(_C.watch == watch, _C.name.startswith(PROCESS))
    with engine.connect() as connection:
        rows = connection.execute(query.order_by(_C.name))
        return [
            ProcessHealth(name.removeprefix(PROCESS), seen, json.loads(body)) for name, seen, body in rows
        ]
