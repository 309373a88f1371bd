"""Stored runs: the cost of the store, and the limits of a run's size. With `--million` also the memory over time."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.launch import ROOT
from benchmarks.measure import Setting, environment
from benchmarks.table import Row

TITLE = "Exact match, kept in a store"
FEW, MILLION = 800, 1_000_000
_MOST_SECONDS_FEW, _MOST_SECONDS, _MOST_MEGABYTES, _FLAT = 1.0, 60.0, 300.0, 1.25


@dataclass(frozen=True)
class Kept:
    """Cost of a run.

    Attributes:
        wall: seconds of wall time.
        cpu: seconds of processor time.
        peak: peak memory in megabytes.
        curve: pairs of results so far and megabytes at that time.
    """

    wall: float
    cpu: float
    peak: float
    curve: list[tuple[int, float]]


def rows(setting: Setting) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        few = _write(folder, min(FEW, setting.large))
        kept, alone = _run(few, Path(folder, "few.sqlite3")), _run(few, None)
        what = f"{min(FEW, setting.large)} cases, wall"
        yield Row(
            what,
            f"{kept.wall:.2f} s ({kept.cpu:.2f} s CPU)",
            f"without a store: {alone.wall:.2f} s",
            kept.wall / alone.wall,
            f"<= {_MOST_SECONDS_FEW:.0f} s",
            kept.wall <= _MOST_SECONDS_FEW,
        )
        large = _run(_write(folder, setting.large), Path(folder, "large.sqlite3"))
        yield Row(
            f"{setting.large:,} cases, wall",
            f"{large.wall:.1f} s ({large.cpu:.1f} s CPU)",
            f"{min(FEW, setting.large)}: {kept.wall:.2f} s",
            large.wall / kept.wall,
            f"<= {_MOST_SECONDS:.0f} s",
            large.wall <= _MOST_SECONDS,
        )
        yield Row(
            f"{setting.large:,} cases, peak memory",
            f"{large.peak:.0f} MB",
            f"{min(FEW, setting.large)}: {kept.peak:.0f} MB",
            large.peak / kept.peak,
            f"<= {_MOST_MEGABYTES:.0f} MB",
            large.peak <= _MOST_MEGABYTES,
        )
        if setting.million:
            yield _curve(folder)


def _curve(folder: str) -> Row:
    run = _run(_write(folder, MILLION), Path(folder, "million.sqlite3"))
    shown = ", ".join(f"{megabytes:.0f}" for _, megabytes in run.curve)
    first, last = run.curve[0][1], run.curve[-1][1]
    print(f"memory after each {run.curve[0][0]:,} results, in MB: {shown}", file=sys.stderr)
    return Row(
        f"{MILLION:,} cases, {run.wall:.0f} s, memory at the end",
        f"{last:.0f} MB",
        f"after {run.curve[0][0]:,}: {first:.0f} MB",
        last / first,
        f"flat: ratio <= {_FLAT}",
        last / first <= _FLAT,
    )


def _run(path: Path, store: Path | None) -> Kept:
    command = [sys.executable, "-m", "benchmarks.clients.kept", "--rows", str(path)]
    command += ["--store", str(store)] if store else []
    done = subprocess.run(command, cwd=ROOT, env=environment(), check=True, capture_output=True, text=True)
    told: dict[str, Any] = json.loads(done.stdout)
    return Kept(
        told["wall"], told["cpu"], told["peak"], [(seen, megabytes) for seen, megabytes in told["curve"]]
    )


def _write(folder: str, count: int) -> Path:
    path = Path(folder, f"{count}.jsonl")
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            case = {
                "input": f"What is the number of house {number}?",
                "actual_output": f"It is {number}.",
                "expected_output": f"It is {number - number % 2}.",
            }
            file.write(f"{json.dumps(case)}\n")
    return path
