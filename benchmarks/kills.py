"""Kill a run again and again, resume it each time, and compare the end with a run that nobody disturbed.

    python -m benchmarks.kills --kills 20 --store sqlite
    python -m benchmarks.kills --kills 20 --store postgres --processes 2
    python -m benchmarks.kills --kills 20 --combine           prompts about the same evidence in one call
    python -m benchmarks.kills --kills 20 --cases 40 --judge local,openai:fake      two judges, the embedded one first
    python -m benchmarks.kills --kills 0 --store postgres --crashes 3      the database server is killed instead

What must hold: every result is there, once, and equal to the undisturbed run's (but for what time and the sharing of
answers decide: latency, and which of several metrics an answer is charged to); the counts that the store keeps beside
the results are equal too; and no more calls are made in vain than were in flight at the kills.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.cases import cases
from benchmarks.launch import Launched, launched
from benchmarks.postgres import Database, database

ROOT = Path(__file__).resolve().parent.parent
METRICS = [
    "contextual_precision",
    "contextual_relevancy",
    "answer_relevancy",
    "faithfulness",
    "g_eval(name='Fit', criteria='Does the answer fit the question?')",
]
COMBINE = "RAGSTONE_KILLS_COMBINE"
"""Variable that has the children combine prompts."""
JUDGE = "RAGSTONE_KILLS_JUDGE"
"""Variable with the spec of the children's judge."""

TIME_DECIDES = ("latency_ms", "usage", "evaluation_cost")
Begin = Callable[..., Any]
"""Starts a process: `subprocess.Popen`, or a callable with the same signature."""
_BETWEEN = 60
"""Calls between two crashes of the database server, so that runs make progress on a machine of any speed."""


@dataclass(frozen=True)
class Outcome:
    """Outcome of a measurement.

    Attributes:
        equal: whether the results, and the counts beside them, equal those of the undisturbed run.
        results: number of results.
        calls: judge calls of all parts together.
        undisturbed: judge calls of the undisturbed run.
        allowed: number of calls that may have been wasted.
        killed: number of processes that were killed while they ran.
        crashes: number of times that the database server was killed during a run, and restarted.
    """

    equal: bool
    results: int
    calls: int
    undisturbed: int
    allowed: int
    killed: int
    crashes: int = 0

    @property
    def good(self) -> bool:
        """Whether all requirements hold."""
        return self.equal and self.calls <= self.undisturbed + self.allowed


def measure(
    store: str,
    server: Launched,
    *,
    count: int,
    kills: int,
    concurrency: int = 16,
    processes: int = 1,
    longest: float = 0.8,
    seed: int = 0,
    database: Database | None = None,
    crashes: int = 0,
    begin: Begin = subprocess.Popen,
) -> Outcome:
    """Kill the runs `kills` times, resume them, and compare the results.

    Args:
        store: the store of the runs.
        server: the judge server.
        count: number of test cases.
        kills: number of kills.
        concurrency: calls in flight.
        processes: number of concurrent runs, each in its own process, that write to the same store.
        longest: most seconds from the first call to the kill.
        seed: seed of the moments of the kills.
        database: the database server of the store, if it is to crash.
        crashes: number of crashes of the database server while runs write to it.
        begin: starts a process from a command with the options `cwd` and `env`.

    Returns:
        The outcome, with fewer kills or crashes than requested if the runs ended before.
    """
    names = [f"run-{number}" for number in range(processes)]
    child = partial(_child, store, server=server, count=count, concurrency=concurrency, begin=begin)
    server.reset()
    child("undisturbed", wait=True)
    expected, counts = _lines(store, "undisturbed"), _counts(store, "undisturbed")
    undisturbed = server.stats()["calls"]
    server.reset()
    chance, killed = random.Random(seed), 0
    crashed = 0
    if database is not None:
        crashed = _crash(database, crashes, lambda: _begun(child, names, server), server)
    for _ in range(kills):
        running = _begun(child, names, server)
        time.sleep(chance.uniform(0.0, longest))
        for process in running:
            if process.poll() is None:
                killed += 1
                process.send_signal(signal.SIGKILL)
            process.wait()
    for name in names:
        child(name, wait=True)
    found = [_lines(store, name) for name in names]
    return Outcome(
        equal=all(lines == expected for lines in found)
        and all(_counts(store, name) == counts for name in names),
        results=sum(map(len, found)),
        calls=server.stats()["calls"],
        undisturbed=undisturbed * processes,
        allowed=(killed + crashed * processes) * concurrency,
        killed=killed,
        crashes=crashed,
    )


def _crash(
    database: Database,
    crashes: int,
    begin: Callable[[], list["subprocess.Popen[bytes]"]],
    server: Launched,
) -> int:
    """Crash and restart the database server during the runs; return how many crashes hit a run.

    Runs that end in a crash are resumed; those that survive it are hit again.
    """
    running: list[subprocess.Popen[bytes]] = []
    met = 0
    for _ in range(crashes):
        before = server.stats()["calls"]
        while server.stats()["calls"] < before + _BETWEEN:  # a crash during an idle run would prove nothing
            if all(child.poll() is not None for child in running):
                running = begin()
                if all(child.poll() is not None for child in running):
                    return met  # nothing is left to measure
            time.sleep(0.02)
        met += any(child.poll() is None for child in running)
        database.crash()
        database.start()
    for child in running:
        child.wait()
    return met


def _begun(begin: Begin, names: Sequence[str], server: Launched) -> list["subprocess.Popen[bytes]"]:
    """Start or resume the runs, and wait for the first call: a kill while Python starts would prove nothing."""
    before = server.stats()["calls"]
    running = [begin(name) for name in names]
    while server.stats()["calls"] == before and any(child.poll() is None for child in running):
        time.sleep(0.02)
    return running


def _child(
    store: str,
    name: str,
    *,
    server: Launched,
    count: int,
    concurrency: int,
    begin: Begin,
    wait: bool = False,
) -> "subprocess.Popen[bytes]":
    """Start or resume the run of that name in a process of its own."""
    environment = os.environ | {
        "OPENAI_BASE_URL": server.base_url,
        "OPENAI_API_KEY": "sk-loopback",
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)]),
    }
    command = [sys.executable, "-m", "benchmarks.kills", "--child", store, name, str(count), str(concurrency)]
    process = begin(command, cwd=ROOT, env=environment)
    if wait and process.wait() not in (0, 1):
        raise RuntimeError(f"the run ended with {process.returncode}")
    return process


def _run(store: str, name: str, count: int, concurrency: int) -> int:
    from ragstone import evaluate  # noqa: PLC0415  (only the child measures)
    from ragstone.store import open_store  # noqa: PLC0415

    known = {found.run.plan.name for found in open_store(store).runs()}
    asked: dict[str, Any] = (
        {"resume": name}
        if name in known
        else {"name": name, "metrics": METRICS, "combine": COMBINE in os.environ}
    )
    judge = os.environ.get(JUDGE, "openai:fake")
    report = evaluate(cases(count), judge=judge, store=store, concurrency=concurrency, **asked)
    return report.exit_code


def _counts(store: str, name: str) -> list[tuple[object, ...]]:
    """Return the store's counts of a run, in which a result written twice would count twice."""
    from ragstone.store import open_store  # noqa: PLC0415  (only the parent counts)

    with closing(open_store(store)) as opened:
        line = opened.line(opened.find(name))
    kept = [
        (line.spec, *line.figure.counts.values(), round(line.figure.mean or 0.0, 9)) for line in line.metrics
    ]
    return [(line.progress.done, line.progress.total), *kept]


def _lines(store: str, name: str) -> list[dict[str, Any]]:
    """Return the results of a stored run, without fields that depend on timing."""
    from ragstone.findings.stored import stored_report  # noqa: PLC0415

    report = stored_report(name, store)
    lines = [json.loads(result.model_dump_json()) for results in report.results for result in results]
    return [{key: value for key, value in line.items() if key not in TIME_DECIDES} for line in lines]


@contextmanager
def _store(kind: str) -> Iterator[tuple[str, Database | None]]:
    if kind == "postgres":
        with database() as server:
            yield server.url, server
    else:
        with tempfile.TemporaryDirectory() as folder:
            yield str(Path(folder, "runs.sqlite3")), None


def main() -> int:
    """Read the flags, measure, print."""
    if sys.argv[1:2] == ["--child"]:
        store, name, count, concurrency = sys.argv[2:]
        return _run(store, name, int(count), int(concurrency))
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--store", choices=["sqlite", "postgres"], default="sqlite")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--cases", type=int, default=150)
    parser.add_argument("--concurrency", type=int, default=16)
    parser.add_argument("--latency-ms", type=float, default=100.0)
    parser.add_argument("--crashes", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--combine", action="store_true")
    parser.add_argument("--judge", default="openai:fake")
    given = parser.parse_args()
    os.environ[JUDGE] = given.judge
    if given.combine:
        os.environ[COMBINE] = "1"
    with (
        launched(latency_ms=given.latency_ms, jitter_ms=given.latency_ms / 2) as server,
        _store(given.store) as (store, server_of_store),
    ):
        outcome = measure(
            store,
            server,
            count=given.cases,
            kills=given.kills,
            concurrency=given.concurrency,
            processes=given.processes,
            seed=given.seed,
            database=server_of_store,
            crashes=given.crashes,
        )
    print(f"{given.store}, {given.processes} process(es): {outcome}; {'good' if outcome.good else 'BAD'}")
    return 0 if outcome.good else 1


if __name__ == "__main__":
    sys.exit(main())
