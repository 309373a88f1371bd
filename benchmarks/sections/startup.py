"""How long it takes until something happens: fresh processes, one after the other, medians."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from importlib.metadata import entry_points
from pathlib import Path
from statistics import median

from benchmarks.measure import Setting
from benchmarks.table import Row, milliseconds

TITLE = "Start-up"
_PYTHON = (sys.executable, "-c", "pass")
_STARTS = (
    ("import ragstone", (sys.executable, "-c", "import ragstone"), 0.100),
    ("ragstone --help", (str(Path(sys.executable).with_name("ragstone")), "--help"), 0.300),
    ("from ragstone import evaluate", (sys.executable, "-c", "from ragstone import evaluate"), None),
)


def rows(setting: Setting) -> Iterator[Row]:
    for what, command, most in _STARTS:
        ours, bare = in_turn(command, _PYTHON, setting.repeats)
        target, met = ("", None) if most is None else (f"<= {most * 1000:.0f} ms", ours <= most)
        yield Row(what, milliseconds(ours), f"python -c pass: {milliseconds(bare)}", ours / bare, target, met)
    if any(point.value.startswith("ragstone.") for point in entry_points(group="pytest11")):
        yield _plug_in(setting)


def in_turn(first: Sequence[str], second: Sequence[str], repeats: int) -> tuple[float, float]:
    """Return the median times of two commands that run in turn, so that both meet the same noise."""
    seconds(first), seconds(second)  # compiles what is new, fills the file cache
    pairs = [(seconds(first), seconds(second)) for _ in range(repeats)]
    return median(pair[0] for pair in pairs), median(pair[1] for pair in pairs)


def seconds(command: Sequence[str]) -> float:
    """Return how long a command takes.

    Raises:
        subprocess.CalledProcessError: it failed.
    """
    begin = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - begin


def _plug_in(setting: Setting) -> Row:
    """A test suite that does not use the plug-in, with it and without it."""
    name = next(
        point.name for point in entry_points(group="pytest11") if point.value.startswith("ragstone.")
    )
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "test_nothing.py").write_text("def test_nothing():\n    pass\n")
        command = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", folder, folder)
        with_it, without = in_turn(command, (*command, "-p", f"no:{name}"), setting.repeats)
    beside = f"-p no:{name}: {milliseconds(without)}"
    return Row("pytest with the plug-in, unused", milliseconds(with_it), beside, with_it / without)
