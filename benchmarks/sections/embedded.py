"""The embedded judge, the default: time of its six metrics, beside a metric without a judge, and on two cores."""

import json
import resource
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.cases import cases
from benchmarks.measure import Setting, environment, write_rows
from benchmarks.sections.startup import Start, start
from benchmarks.table import Row, milliseconds

_MANY = 10
"""Times as many test cases for two cores: 2,000 by default."""
_TARGET = 1.7

TITLE = "The embedded judge, six metrics, kept in a store"


def rows(setting: Setting) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        data = [case.model_dump(exclude_defaults=True) for case in cases(setting.cases + 1)]
        whole, one = write_rows(folder, "cases", data), write_rows(folder, "one", data[:1])
        took = {name: _seconds(whole, one, name, setting) for name in ("rag", "exact_match")}
    judged, compared = took["rag"], took["exact_match"]
    beside = f"exact_match: {milliseconds(compared)}"
    yield Row("CPU a case, start subtracted", milliseconds(judged), beside, judged / max(compared, 1e-6))
    yield _two_cores(_MANY * setting.cases)


def _seconds(whole: Path, one: Path, metrics: str, setting: Setting) -> float:
    """Return the seconds of processor time of one additional case."""
    flags = ("--preset", "rag") if metrics == "rag" else ("-m", metrics)
    many, single = (
        start(
            [sys.executable, "-m", "benchmarks.clients.command", "run", str(path), "--quiet", *flags],
            environment(home=str(path.parent)),
            good=(0, 1),
        )
        for path in (whole, one)
    )
    return max(0.0, many.cpu - single.cpu) / setting.cases


def _two_cores(count: int) -> Row:
    """A run by two workers, beside the same run in one process; both must give the same results."""
    with tempfile.TemporaryDirectory() as folder:
        data = [case.model_dump(exclude_defaults=True) for case in cases(count)]
        path = write_rows(folder, "cases", data)
        one, two = (_with_workers(path, workers) for workers in (1, 2))
        if _results(path, 1) != _results(path, 2):
            raise RuntimeError("two workers gave other results than one process")
    faster = one.wall / two.wall
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return Row(
        f"{count:,} cases, two workers: wall (CPU); most memory of a process {memory:.0f} MB",
        str(two),
        f"in one process: {one}",
        two.wall / one.wall,
        f"{_TARGET} times as fast",
        faster >= _TARGET,
    )


def _with_workers(path: Path, workers: int) -> Start:
    flags = ("--no-store", "--preset", "rag", "--workers", str(workers), "--output", _output(path, workers))
    command = [sys.executable, "-m", "benchmarks.clients.command", "run", str(path), "--quiet", *flags]
    return start(command, environment(home=str(path.parent)), good=(0, 1))


def _output(path: Path, workers: int) -> str:
    return str(path.with_name(f"results-{workers}.jsonl"))


def _results(path: Path, workers: int) -> list[object]:
    """Return the results in order, without the values that differ between runs: the run's id and the times."""
    lines = Path(_output(path, workers)).read_text("utf-8").splitlines()
    return [{**json.loads(line), "run_id": "", "latency_ms": 0} for line in lines]
