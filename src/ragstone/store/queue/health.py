"""Signs of life of the processes of a watch, and what fails in them: one row for each process."""

import json
import os
import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Engine, delete, select

from ragstone.store.queue.watch_state import write_named
from ragstone.store.schema.tables import WATCH_STATE

SILENT_SECONDS = 60.0
"""Seconds without a sign of life after which a process is taken to have ended."""

PREFIX = "process "


@dataclass(frozen=True, slots=True)
class ProcessHealth:
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
        write_named(connection, watch, PREFIX + own_name(), failing)


def end_health(engine: Engine, watch: str) -> None:
    """Remove this process, because it ends as it should."""
    c = WATCH_STATE.c
    with engine.begin() as connection:
        connection.execute(delete(WATCH_STATE).where(c.watch == watch, c.name == PREFIX + own_name()))


def remove_silent(engine: Engine, watch: str) -> None:
    """Remove the processes that have ended without saying so, because another one takes their place."""
    c, before = WATCH_STATE.c, time.time() - SILENT_SECONDS
    with engine.begin() as connection:
        silent = (c.watch == watch, c.name.startswith(PREFIX), c.updated < before)
        connection.execute(delete(WATCH_STATE).where(*silent))


def read_health(engine: Engine, watch: str) -> list[ProcessHealth]:
    """Return the processes of a watch, by name."""
    c = WATCH_STATE.c
    query = select(c.name, c.updated, c.body).where(c.watch == watch, c.name.startswith(PREFIX))
    with engine.connect() as connection:
        return [
            ProcessHealth(name.removeprefix(PREFIX), seen, json.loads(body))
            for name, seen, body in connection.execute(query.order_by(c.name))
        ]
