"""The embedded judge, the default: what its six metrics take, beside a metric that asks no judge."""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.cases import cases
from benchmarks.measure import Setting, environment, write_rows
from benchmarks.sections.startup import start
from benchmarks.table import Row, milliseconds

TITLE = "The embedded judge, six metrics, kept in a store"


def rows(setting: Setting) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        data = [case.model_dump(exclude_defaults=True) for case in cases(setting.cases + 1)]
        whole, one = write_rows(folder, "cases", data), write_rows(folder, "one", data[:1])
        took = {name: _seconds(whole, one, name, setting) for name in ("rag", "exact_match")}
    judged, compared = took["rag"], took["exact_match"]
    beside = f"exact_match: {milliseconds(compared)}"
    yield Row("CPU a case, start subtracted", milliseconds(judged), beside, judged / max(compared, 1e-6))


def _seconds(whole: Path, one: Path, metrics: str, setting: Setting) -> float:
    """Return the seconds of processor time that one more case takes."""
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
