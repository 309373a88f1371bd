"""How long it takes until something happens: fresh processes, in turn with a bare interpreter, medians."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benchmarks.measure import Setting
from benchmarks.table import Row, milliseconds

TITLE = "Start-up: wall time (and CPU)"
_BARE = (sys.executable, "-c", "pass")
_STARTS = (
    ("import ragstone", (sys.executable, "-c", "import ragstone"), 0.100),
    ("ragstone --help", (str(Path(sys.executable).with_name("ragstone")), "--help"), 0.300),
    ("from ragstone import evaluate", (sys.executable, "-c", "from ragstone import evaluate"), None),
)


class Start(NamedTuple):
    """What one start of a process took, in seconds; or the medians of several."""

    wall: float
    cpu: float

    def __str__(self) -> str:
        """For people."""
        return f"{milliseconds(self.wall)} ({milliseconds(self.cpu)})"


def rows(setting: Setting) -> Iterator[Row]:
    for what, command, most in _STARTS:
        ours, bare = in_turn(command, _BARE, setting.repeats)
        target, met = ("", None) if most is None else (f"<= {most * 1000:.0f} ms", ours.wall <= most)
        yield Row(what, str(ours), f"python -c pass: {bare}", ours.wall / bare.wall, target, met)
    for point in entry_points(group="pytest11"):
        if point.value.partition(":")[0].startswith("ragstone"):
            yield _plug_in(point, setting)


def in_turn(first: Sequence[str], second: Sequence[str], repeats: int) -> tuple[Start, Start]:
    """Return the medians of two commands that run in turn, so that both meet the same noise."""
    start(first)  # compiles what is new, fills the file cache
    start(second)
    pairs = [(start(first), start(second)) for _ in range(repeats)]
    return _median([one for one, _ in pairs]), _median([other for _, other in pairs])


def start(command: Sequence[str]) -> Start:
    """Run a command to its end.

    Raises:
        RuntimeError: it failed.
    """
    begin = time.perf_counter()
    # not `run`: only wait4 tells the processor time of this one process
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}")
    return Start(wall, used.ru_utime + used.ru_stime)


def _median(starts: Sequence[Start]) -> Start:
    return Start(median(one.wall for one in starts), median(one.cpu for one in starts))


def _plug_in(point: EntryPoint, setting: Setting) -> Row:
    """A test suite that does not use the plug-in, with it and without it."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "test_nothing.py").write_text("def test_nothing():\n    pass\n")
        command = (
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "--rootdir",
            folder,
            folder,
        )
        with_it, without = in_turn(command, (*command, "-p", f"no:{point.name}"), setting.repeats)
    what, beside = "pytest with the plug-in, unused", f"-p no:{point.name}: {without}"
    return Row(what, str(with_it), beside, with_it.wall / without.wall)
