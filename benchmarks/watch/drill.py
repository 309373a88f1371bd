"""Crash recovery of a watch: `python -m benchmarks.watch.drill --seconds 300 --rate 200 --kills 3`.

A receiver (`ragstone serve --otlp`) and a watch (`ragstone watch`) on one store are killed with SIGKILL together, and
restarted at once. Like an exporter, the sender repeats requests that are not acknowledged. What must hold: every
acknowledged trace is judged once, none is lost, and the queue stays bounded.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from socket import socket
from threading import Event, Thread, local

import numpy as np
from sqlalchemy import func, select

from benchmarks.postgres import postgres
from benchmarks.watch.load import body_of, memory
from ragstone.store.queue.trace_queue import QueueCounts, TraceQueue, open_queue
from ragstone.store.schema.tables import RESULTS, WATCH_RESULTS

_CONNECTIONS = local()
_COMMAND = (sys.executable, "-c", "from ragstone.cli import main; main()")
_SENDERS, _EVERY, _PAUSE = 32, 5.0, 0.2
_TAKEN = 200


@dataclass
class DrillFigures:
    """Figures of a drill.

    Attributes:
        took: seconds of each request that was acknowledged at the first attempt.
        waited: seconds from when each trace was due until it was acknowledged.
        repeated: requests that were sent again.
        sizes: megabytes of the receiver and of the watch, over time.
        waiting: traces that wait to be judged, over time.
    """

    took: list[float] = field(default_factory=list[float])
    waited: list[float] = field(default_factory=list[float])
    repeated: int = 0
    sizes: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])
    waiting: list[int] = field(default_factory=list[int])


class Processes:
    """The receiver and the watch, on one store and one port, also after restarts."""

    def __init__(self, folder: Path, store: str, metric: str) -> None:
        with socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        plan = folder / "watch.toml"
        plan.write_text(f"metrics = [{metric!r}]\n[unit]\nsettle = 1\n", encoding="utf-8")
        self._environment = {**os.environ, "XDG_DATA_HOME": str(folder)}
        self._log = (folder / "log").open("ab")
        address = f"127.0.0.1:{self.port}"
        self._commands = (
            [*_COMMAND, "serve", "--port", "0", "--store", store, "--otlp", address],
            [*_COMMAND, "watch", str(plan), "--store", store],
        )
        self._running: list[subprocess.Popen[bytes]] = []
        self._used = [0.0, 0.0]

    def start(self) -> None:
        """Start both processes."""
        shared = {"stdout": self._log, "stderr": self._log, "env": self._environment}
        self._running = [subprocess.Popen(command, **shared) for command in self._commands]  # type: ignore[call-overload]

    def kill(self) -> None:
        """Kill both processes with SIGKILL."""
        self._used = self.seconds()
        for process in self._running:
            process.send_signal(signal.SIGKILL)
        for process in self._running:
            process.wait()

    def seconds(self) -> list[float]:
        """Return the processor seconds of receiver and watch, killed processes included."""
        return [
            used + _processor_seconds(process.pid)
            for used, process in zip(self._used, self._running, strict=True)
        ]

    def sizes(self) -> tuple[float, float]:
        """Return the resident megabytes of both."""
        receiver, watch = (memory(process.pid) for process in self._running)
        return receiver, watch


def _processor_seconds(process: int) -> float:
    """Return the user and system processor time of a process, in seconds."""
    values = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(values[11]) + int(values[12])) / os.sysconf("SC_CLK_TCK")


def deliver(port: int, number: int, due: float, figures: DrillFigures) -> None:
    """Send a trace until it is acknowledged."""
    body, first = body_of(number), True
    while True:
        begin = time.perf_counter()
        if _post(port, body):
            now = time.perf_counter()
            figures.waited.append(now - due)
            if first:
                figures.took.append(now - begin)
            return
        first = False
        figures.repeated += 1
        time.sleep(_PAUSE)


def _post(port: int, body: bytes) -> bool:
    connection = getattr(_CONNECTIONS, "one", None) or HTTPConnection("127.0.0.1", port, timeout=60)
    _CONNECTIONS.one = connection
    try:
        connection.request("POST", "/v1/traces", body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        answer.read()
    except (OSError, HTTPException):
        connection.close()
        _CONNECTIONS.one = None
        return False
    return answer.status == _TAKEN


def run(processes: Processes, queue: TraceQueue, rate: int, seconds: int, kills: int) -> DrillFigures:
    """Send traces at a steady rate, and kill the processes after equal shares of acknowledged traces."""
    figures, total, ended = DrillFigures(), rate * seconds, Event()
    kill_at = [total * (place + 1) // (kills + 1) for place in range(kills)]
    disturbing = Thread(target=disturb, args=(processes, queue, figures, kill_at, ended))
    disturbing.start()
    begin = time.perf_counter()
    with ThreadPoolExecutor(_SENDERS) as pool:
        sent = []
        for number in range(1, total + 1):
            due = begin + number / rate
            time.sleep(max(0.0, due - time.perf_counter()))
            sent.append(pool.submit(deliver, processes.port, number, due, figures))
        for one in sent:
            one.result()
    ended.set()
    disturbing.join()
    return figures


def disturb(
    processes: Processes, queue: TraceQueue, figures: DrillFigures, kill_at: list[int], ended: Event
) -> None:
    """Kill the processes at the given numbers of acknowledged traces, and record memory and queue, until the end."""
    looked = time.perf_counter()
    while not ended.wait(0.05):
        if kill_at and len(figures.waited) >= kill_at[0]:
            kill_at.pop(0)
            processes.kill()
            processes.start()
        if time.perf_counter() - looked >= _EVERY:
            looked = time.perf_counter()
            figures.sizes.append(processes.sizes())
            figures.waiting.append(queue.counts().waiting)


def drained(queue: TraceQueue, most: float) -> QueueCounts:
    """Wait until the queue is empty, at most `most` seconds; claims of a killed worker expire after three minutes."""
    end = time.monotonic() + most
    while (counts := queue.counts()).waiting and time.monotonic() < end:
        time.sleep(1)
    return counts


def check(queue: TraceQueue, total: int) -> str:
    """Return a summary of the results in the store for the traces, all of which were sent and acknowledged."""
    shown = select(RESULTS.c.case_id, func.count()).group_by(RESULTS.c.case_id)
    scores = select(WATCH_RESULTS.c.unit, func.count()).group_by(WATCH_RESULTS.c.unit)
    with queue.engine.connect() as connection:
        results = {int(case, 16): count for case, count in connection.execute(shown)}
        figures = {int(unit, 16): count for unit, count in connection.execute(scores)}
    sent = set(range(1, total + 1))
    twice = sum(count > 1 for count in [*results.values(), *figures.values()])
    once = sum(results.get(number) == 1 for number in sent)
    missing, scored = len(sent - results.keys()), len(sent & figures.keys())
    return (
        f"acknowledged {total}, judged once {once}, not judged {missing}, judged twice {twice}, "
        f"with a score of the watch {scored}"
    )


@contextmanager
def store_of(kind: str, folder: Path) -> Iterator[str]:
    """Yield the URL of an empty store."""
    if kind == "sqlite":
        yield str(folder / "runs.sqlite3")
        return
    with postgres() as url:
        yield url


def main() -> None:
    """Print what was measured."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rate", type=int, default=200)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--store", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--metric", default="pattern_match(pattern='.*')")
    given = parser.parse_args()
    folder, load = Path(tempfile.mkdtemp()), os.getloadavg()[0]
    with store_of(given.store, folder) as store:
        queue = open_queue(store)
        processes = Processes(folder, store, given.metric)
        processes.start()
        try:
            while not _post(processes.port, b"{}"):
                time.sleep(_PAUSE)
            begin = time.perf_counter()
            figures = run(processes, queue, given.rate, given.seconds, given.kills)
            seconds, waiting = time.perf_counter() - begin, queue.counts().waiting
            counts = drained(queue, 420)
            after = time.perf_counter() - begin - seconds
            used = processes.seconds()
        finally:
            processes.kill()
        total = given.rate * given.seconds
        loads = f"load {load:.1f} before, {os.getloadavg()[0]:.1f} at the end"
        print(f"{given.store}: {total} traces of 3 spans, {given.kills} kills, {loads}")
        print(
            f"acknowledged in {seconds:.0f} s: {total / seconds:.0f} a second; {figures.repeated} requests repeated"
        )
        for name, times in (("a request", figures.took), ("due until acknowledged", figures.waited)):
            p50, p99 = np.quantile(np.array(times) * 1000, (0.5, 0.99))
            print(f"{name}: p50 {p50:.1f} ms, p99 {p99:.1f} ms")
        print(
            f"waiting to be judged: {', '.join(map(str, figures.waiting))}; {waiting} at the end of sending"
        )
        print(f"drained {after:.0f} s later: {counts.waiting} wait, {counts.dead} given up")
        for place, name in enumerate(("receiver", "watch")):
            sizes = ", ".join(f"{size[place]:.0f}" for size in figures.sizes)
            cost = used[place] / total * 1000
            print(f"{name}: {cost:.2f} ms of processor time a trace, its starts included; memory {sizes} MB")
        print(check(queue, total))
        queue.close()


if __name__ == "__main__":
    main()
