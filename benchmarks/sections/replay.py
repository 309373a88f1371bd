"""A recorded run, and the same run answered from the cache only."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.cases import cases
from benchmarks.launch import ROOT, Launched, launched
from benchmarks.measure import Setting, environment, write_rows
from benchmarks.sections.latency import LATENCY
from benchmarks.table import Row

TITLE = "A recorded run, replayed offline"
_TIME_DECIDES = ("latency_ms",)


def rows(setting: Setting) -> Iterator[Row]:
    data = [case.model_dump(exclude_defaults=True) for case in cases(setting.cases)]
    with tempfile.TemporaryDirectory() as folder, launched(latency_ms=LATENCY * 1000) as judge:
        path = write_rows(folder, "cases", data)
        live, recorded = _run(folder, path, judge, setting, "--cache")
        calls = judge.stats()["calls"]
        again, replayed = _run(folder, path, judge, setting, "--offline")
        more = judge.stats()["calls"] - calls
    yield Row("wall, the command and all", f"{again:.2f} s", f"200 ms a call: {live:.2f} s", again / live)
    yield Row("calls", str(more), f"recorded: {calls:,}", more / calls, "0", more == 0)
    equal = sum(mine == theirs for mine, theirs in zip(replayed, recorded, strict=True))
    yield Row(
        "lines equal, durations aside",
        f"{equal:,}",
        f"recorded: {len(recorded):,}",
        equal / len(recorded),
        "all",
        equal == len(recorded),
    )


def _run(
    folder: str, path: Path, judge: Launched, setting: Setting, how: str
) -> tuple[float, list[dict[str, Any]]]:
    out = Path(folder, f"{how.strip('-')}.jsonl")
    command = [sys.executable, "-m", "benchmarks.clients.command", "run", str(path), "--preset", "rag"]
    command += [
        "--judge",
        "openai:fake",
        "--concurrency",
        str(setting.in_flight),
        "--quiet",
        "--output",
        str(out),
        how,
    ]
    own = environment(judge, folder) | {"RAGSTONE_CACHE": str(Path(folder, "answers.sqlite3"))}
    before = os.times()
    done = subprocess.run(command, cwd=ROOT, env=own, check=False, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"the run failed: {done.stdout[-1000:]}{done.stderr[-1000:]}")
    lines = [json.loads(line) for line in out.read_bytes().splitlines()]
    wall = os.times().elapsed - before.elapsed
    return wall, [{key: value for key, value in line.items() if key not in _TIME_DECIDES} for line in lines]
