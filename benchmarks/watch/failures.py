"""What a watch does through failures: `python -m benchmarks.watch.failures`.

`ragstone watch --otlp` and `ragstone serve --otlp --watch` meet traces that cannot be judged, a full disk that is freed
again, a locked SQLite file, a PostgreSQL server that is killed and restarted, and stalled connections. Printed is what
was acknowledged, judged and set aside, what still waits, and whether the failure and its end were told. Ends with 1 if
a trace that was acknowledged is neither judged nor set aside.
"""

import argparse
import resource
import socket
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from sqlalchemy import update

from benchmarks.postgres import Database, available, database
from benchmarks.watch.processes import ReceivingProcess, receiving
from ragstone.store.queue.trace_queue import TraceQueue, open_queue
from ragstone.store.schema.tables import TRACE_RECORDS

_PLAN = "metrics = [\"pattern_match(pattern='Yes.*')\"]\n[unit]\nsettle = 3\n"
_FAILED, _WORKS = "has failed since", "works again"
_STALLED = (
    b"POST /v1/traces HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    b"Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{"
)
_TRACES, _WAIT_SECONDS = 20, 240

Failure = Callable[[ReceivingProcess, TraceQueue, str, "Database | None"], str]
"""Makes the failure while `send` of the process goes on; returns what was told."""


def poison(process: ReceivingProcess, queue: TraceQueue, store: str, server: Database | None) -> str:
    """Damage the records of three traces before they are judged."""
    del process, store, server
    poisoned = TRACE_RECORDS.c.trace_id.in_(f"{number:032x}" for number in range(_TRACES - 2, _TRACES + 1))
    with queue.engine.begin() as connection:
        connection.execute(update(TRACE_RECORDS).where(poisoned).values(body='{"span_id": "poison"}'))
    return "3 damaged"


def full_disk(process: ReceivingProcess, queue: TraceQueue, store: str, server: Database | None) -> str:
    """Let no file grow, as on a full disk, and lift that again."""
    del queue, server
    size = Path(f"{store}-wal").stat().st_size
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    refused = sum(not process.send(number) for number in range(1_000, 1_030))
    failed = process.wait_for(_FAILED, 60)
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    return f"{refused} of 30 refused; failure told: {failed}; its end: {process.wait_for(_WORKS)}"


def locked(process: ReceivingProcess, queue: TraceQueue, store: str, server: Database | None) -> str:
    """Hold SQLite's lock for 45 seconds."""
    del queue, server
    with closing(sqlite3.connect(store, isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        start, refused = time.monotonic(), 0
        number = 1_000
        while time.monotonic() - start < _LOCKED_SECONDS:
            refused += not process.send(number)
            number += 1
        failed = process.told(_FAILED)
        holder.rollback()
    ended = process.wait_for(_WORKS, 60) if failed else True
    return f"{refused} refused with 503; failure told: {bool(failed)}; its end: {ended}"


_LOCKED_SECONDS = 45


def restarted(process: ReceivingProcess, queue: TraceQueue, store: str, server: Database | None) -> str:
    """Kill PostgreSQL and start it again."""
    del queue, store
    if server is None:
        raise AssertionError
    server.crash()
    refused = sum(not process.send(number) for number in range(1_000, 1_003))
    failed = process.wait_for(_FAILED, 120)
    server.start()
    return f"{refused} of 3 refused; failure told: {failed}; its end: {process.wait_for(_WORKS)}"


def stalled(process: ReceivingProcess, queue: TraceQueue, store: str, server: Database | None) -> str:
    """Open 10,000 connections that send half of a request."""
    del queue, store, server
    files = min(12_000, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    refused = 0
    with ExitStack() as stack:
        for _ in range(_CONNECTIONS):
            try:
                connection = stack.enter_context(
                    socket.create_connection(("127.0.0.1", process.port), timeout=5)
                )
                connection.sendall(_STALLED)
            except OSError:
                refused += 1
        start = time.monotonic()
        sent = sum(process.send(number) for number in range(1_000, 1_020))
        taken = time.monotonic() - start
    return (
        f"{_CONNECTIONS:,} connections, {refused:,} refused; beside them 20 traces: {sent} acknowledged within "
        f"{taken:.0f} s; {process.peak_megabytes():.0f} MB"
    )


_CONNECTIONS = 10_000
_FAILURES: dict[str, Failure] = {
    "poison": poison,
    "full disk": full_disk,
    "locked 45 s": locked,
    "PostgreSQL restarted": restarted,
    "stalled": stalled,
}
_COMMANDS = {"watch": ("watch",), "serve": ("serve", "--port", "0", "--watch")}


def main() -> int:
    """Run every failure under both commands, and print a line for each."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.watch.failures")
    parser.add_argument("--only", choices=_FAILURES, nargs="+", default=list(_FAILURES))
    lost = 0
    for name in parser.parse_args().only:
        if name.startswith("PostgreSQL") and not available():
            print(f"{name}: PostgreSQL is not installed")
            continue
        for command in _COMMANDS:
            lost += _tried(name, command)
    return int(bool(lost))


@contextmanager
def _store(name: str, folder: Path) -> Iterator[tuple[str, Database | None]]:
    if not name.startswith("PostgreSQL"):
        yield str(folder / "runs.sqlite3"), None
        return
    with database() as server:
        yield server.url, server


def _tried(name: str, command: str) -> int:
    """Try a failure; print its line, and return the number of lost traces."""
    with tempfile.TemporaryDirectory() as place, _store(name, Path(place)) as (store, server):
        folder = Path(place)
        (folder / "watch.toml").write_text(_PLAN)
        first, *rest = _COMMANDS[command]
        arguments = (first, *rest, str(folder / "watch.toml"), "--store", store)
        with receiving(folder, *arguments) as process, closing(open_queue(store)) as queue:
            acknowledged = sum(process.send(number) for number in range(1, _TRACES + 1))
            told = _FAILURES[name](process, queue, store, server)
            acknowledged += sum(process.send(number) for number in range(5_000, 5_000 + _TRACES))
            counts = queue.counts()
            end = time.monotonic() + _WAIT_SECONDS
            while (counts := queue.counts()).waiting and time.monotonic() < end:
                time.sleep(0.5)
        missing = max(acknowledged - counts.judged - counts.dead, 0)
        print(
            f"{name:21} {command:6} {acknowledged:4} acknowledged before and after, {counts.judged:4} judged, "
            f"{counts.dead} set aside, {counts.waiting} waiting, {missing} lost. {told}",
            flush=True,
        )
        return missing


if __name__ == "__main__":
    raise SystemExit(main())
