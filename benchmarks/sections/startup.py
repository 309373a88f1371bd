"""Start-up times: medians of fresh processes, in turn with a bare interpreter."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benchmarks.measure import Setting, environment, write_rows
from benchmarks.table import Row, milliseconds

TITLE = "Start-up: wall time (and CPU)"
_PLUG_IN = "ragstone.pytest_plugin"
_BARE = (sys.executable, "-c", "pass")
_STARTS = (
    ("import ragstone", (sys.executable, "-c", "import ragstone"), 0.100),
    ("ragstone --help", (str(Path(sys.executable).with_name("ragstone")), "--help"), 0.300),
    ("from ragstone import evaluate", (sys.executable, "-c", "from ragstone import evaluate"), None),
)


class Start(NamedTuple):
    """Times of one start of a process in seconds, or the medians of several."""

    wall: float
    cpu: float

    def __str__(self) -> str:
        """Return the times as text."""
        return f"{milliseconds(self.wall)} ({milliseconds(self.cpu)})"


def rows(setting: Setting) -> Iterator[Row]:
    for what, command, most in _STARTS:
        ours, bare = in_turn(command, _BARE, setting.repeats)
        target, met = ("", None) if most is None else (f"<= {most * 1000:.0f} ms", ours.wall <= most)
        yield Row(what, str(ours), f"python -c pass: {bare}", ours.wall / bare.wall, target, met)
    yield from _commands(setting)
    if find_spec(_PLUG_IN):
        yield _plug_in(setting)


def _commands(setting: Setting) -> Iterator[Row]:
    """Yield the total processor time of commands, in a home with one stored run."""
    with tempfile.TemporaryDirectory() as home:
        path = write_rows(home, "case", [{"input": "q", "actual_output": "a", "expected_output": "a"}])
        run = ("run", str(path), "-m", "exact_match")
        for arguments, most in ((run, 0.55), (("runs",), 0.35), (("metrics",), None)):
            command = (sys.executable, "-m", "benchmarks.clients.command", *arguments)
            ours, bare = in_turn(command, _BARE, setting.repeats, environment(home=home))
            what = "run, one case, exact_match" if arguments is run else arguments[0]
            target, met = (
                ("", None) if most is None else (f"<= {most * 1000:.0f} ms of CPU", ours.cpu <= most)
            )
            yield Row(
                f"ragstone {what}", str(ours), f"python -c pass: {bare}", ours.cpu / bare.cpu, target, met
            )


def in_turn(
    first: Sequence[str], second: Sequence[str], repeats: int, environment: Mapping[str, str] | None = None
) -> tuple[Start, Start]:
    """Return the medians of two commands that run in turn, so that both meet the same noise."""
    if repeats > 1:
        start(first, environment)  # compiles what is new, fills the file cache
        start(second, environment)
    pairs = [(start(first, environment), start(second, environment)) for _ in range(repeats)]
    return _median([one for one, _ in pairs]), _median([other for _, other in pairs])


def start(
    command: Sequence[str], environment: Mapping[str, str] | None = None, good: Collection[int] = (0,)
) -> Start:
    """Run a command to its end, which must be one of the `good` exit codes.

    Raises:
        RuntimeError: it failed.
    """
    begin = time.perf_counter()
    # not `run`: only wait4 returns the processor time of this one process
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in good:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}")
    return Start(wall, used.ru_utime + used.ru_stime)


def _median(starts: Sequence[Start]) -> Start:
    return Start(median(one.wall for one in starts), median(one.cpu for one in starts))


def _plug_in(setting: Setting) -> Row:
    """A test suite that does not use the plug-in, with it and without it, and without any other."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "test_nothing.py").write_text("def test_nothing():\n    pass\n")
        bare = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", folder, folder)
        alone = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        with_it, without = in_turn((*bare, "-p", _PLUG_IN), bare, setting.repeats, alone)
    beside = f"without it: {without}"
    return Row("pytest with the plug-in, unused", str(with_it), beside, with_it.wall / without.wall)
