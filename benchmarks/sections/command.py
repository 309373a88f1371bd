"""`ragstone run` with its defaults: the run is stored and its results are written. The start-up is subtracted."""

import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benchmarks.cases import cases
from benchmarks.launch import Launched, launched
from benchmarks.measure import Setting, environment, take, write_rows
from benchmarks.postgres import available, postgres
from benchmarks.recording import requests
from benchmarks.sections.latency import LATENCY
from benchmarks.sections.startup import start
from benchmarks.table import Row, milliseconds

TITLE = "The command with its defaults, six metrics"
_TARGETS = {"SQLite": (0.00095, 1000), "no store": (0.00075, 1200), "PostgreSQL": (0.0011, None)}
"""For each store the most seconds of processor time a call, and the least calls a second on a quiet machine."""

_MOST_WALL = 1.15


class Ran(NamedTuple):
    """Cost of the calls of a run without its start-up, in seconds, and the number of calls."""

    wall: float
    cpu: float
    calls: int


def rows(setting: Setting) -> Iterator[Row]:
    data = cases(setting.cases)
    with (
        tempfile.TemporaryDirectory() as folder,
        postgres() if available() else nullcontext() as url,
        launched() as judge,
        launched(latency_ms=LATENCY * 1000) as slow,
    ):
        whole = write_rows(folder, "cases", [case.model_dump(exclude_defaults=True) for case in data])
        write_rows(folder, "one", [data[0].model_dump(exclude_defaults=True)])
        bodies = write_rows(folder, "bodies", requests(data))
        stores = {"SQLite": [], "no store": ["--no-store"]} | (
            {"PostgreSQL": ["--store", url]} if url else {}
        )
        yield from _costs(setting, judge, whole, bodies, stores)
        yield _waiting(setting, slow, whole)


def _costs(
    setting: Setting, judge: Launched, whole: Path, bodies: Path, stores: Mapping[str, Sequence[str]]
) -> Iterator[Row]:
    """Run with each store and with aiohttp alone, in turn, and compare the medians."""
    taken: dict[str, list[Ran]] = {name: [] for name in stores}
    bare: list[float] = []
    for _ in range(setting.rounds):
        for name, flags in stores.items():
            taken[name].append(_ran(setting, judge, whole, flags))
        bare.append(
            take("benchmarks.clients.aiohttp", judge, bodies, in_flight=setting.in_flight).cpu_per_call
        )
    floor = median(bare)
    for name, runs in taken.items():
        most, least = _TARGETS[name]
        cpu = median(run.cpu / run.calls for run in runs)
        rate = median(run.calls / max(run.wall, 0.001) for run in runs)
        beside = f"aiohttp alone: {milliseconds(floor)}"
        yield Row(
            f"{name}: client CPU a call",
            milliseconds(cpu),
            beside,
            cpu / floor,
            f"<= {most * 1000:g} ms",
            cpu <= most,
        )
        target, met = (f">= {least:,}, quiet", rate >= least) if least else ("", None)
        yield Row(f"{name}: calls a second", f"{rate:,.0f}", beside, rate * floor, target, met)


def _waiting(setting: Setting, slow: Launched, whole: Path) -> Row:
    runs = [_ran(setting, slow, whole, ()) for _ in range(setting.rounds)]
    run = sorted(runs, key=lambda run: run.wall)[len(runs) // 2]
    at_best = run.calls * LATENCY / setting.in_flight
    return Row(
        "SQLite: wall time, 200 ms a call",
        f"{run.wall:.2f} s",
        f"{run.calls:,} calls x 0.2 s / {setting.in_flight}: {at_best:.2f} s",
        run.wall / at_best,
        f"<= {_MOST_WALL}",
        run.wall / at_best <= _MOST_WALL,
    )


def _ran(setting: Setting, judge: Launched, whole: Path, flags: Sequence[str]) -> Ran:
    """Run the command over all cases, and over one; return the difference."""
    found: list[Ran] = []
    for path in (whole, whole.with_name("one.jsonl")):
        judge.reset()
        command = [
            sys.executable,
            "-m",
            "benchmarks.clients.command",
            "run",
            str(path),
            "--judge",
            "openai:fake",
        ]
        command += [
            "--concurrency",
            str(setting.in_flight),
            "--quiet",
            "-o",
            str(path.with_name("out.jsonl")),
        ]
        once = start([*command, *flags], environment(judge, str(path.parent)), good=(0, 1))
        found.append(Ran(once.wall, once.cpu, judge.stats()["calls"]))
    many, one = found
    calls = max(1, many.calls - one.calls)
    return Ran(max(0.0, many.wall - one.wall), max(0.0, many.cpu - one.cpu), calls)
