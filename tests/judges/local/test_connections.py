"""The embedded judge opens no connection and writes no file: system calls of whole runs, traced.

The run with onnxruntime stands still, most of its cases judged and its workers alive, until the timers of onnxruntime's
telemetry have ended: their first look-up comes within ten seconds.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[3] / "src"
STILL = 14
"""Seconds for which a run stands still."""
CASES = {"1": 5, "2": 20}
"""By workers: these are to be alive and at work long before the run ends."""
STRACE = shutil.which("strace")
pytestmark = pytest.mark.skipif(
    STRACE is None,
    reason="strace is not installed: NOTHING checks here that the embedded judge sends nothing",
)
PROGRAM = """
import sys, time
from ragstone import evaluate
from ragstone.event import MeasurementFinished
from ragstone.judges.local.model.linear import accelerated
from ragstone.judges.local.workers import pool

def row(n):
    return {"input": "When does the pool open?", "actual_output": f"Pool {n} opens at {n % 24}, has {n} lanes.",
            "retrieval_context": [f"Pool {n} has {n + 1} lanes. It opens at {n % 23} each day of the week."]}

def stand_still(event, finished=[]):
    if isinstance(event, MeasurementFinished):
        finished.append(event)
        if len(finished) == 3 * cases:
            time.sleep(seconds)

workers, cases, seconds = map(int, sys.argv[1:])
pool.START_AFTER_SECONDS = 0.0
evaluate([row(n) for n in range(cases)], preset="rag", workers=workers, progress=False, listeners=[stand_still])
print(accelerated())
"""
WITHOUT = "import sys; sys.modules['onnx'] = None; "


def traced(folder: Path, program: str, *arguments: str, **variables: str) -> tuple[str, str]:
    """Run Python with a home of its own; return what it printed and the lines of the trace."""
    home = folder / "home"
    home.mkdir()
    names = ("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "TMPDIR")
    own = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("ORT_", "RAGSTONE_", "COVERAGE_"))
    }
    own |= (
        {name: str(home) for name in names}
        | {"PYTHONPATH": str(SOURCE), "PYTHONDONTWRITEBYTECODE": "1"}
        | variables
    )
    command = [
        "strace",
        "-f",
        "-qq",
        "-e",
        "trace=network,execve,open,openat,creat,mkdir,mkdirat,rename",
        "-o",
        "trace",
    ]
    done = subprocess.run(
        [*command, sys.executable, "-c", program, *arguments],
        cwd=folder,
        env=own,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, (folder / "trace").read_text()


def connections(trace: str) -> list[str]:
    return [line for line in trace.splitlines() if re.search(r"AF_INET|AF_UNIX.*sun_path|AF_NETLINK", line)]


def written(trace: str) -> list[str]:
    """Return the calls that created or changed a file; those of devices and of the kernel are none."""
    changing = re.compile(
        r"\b(?:open|openat|creat)\(.*(?:O_WRONLY|O_RDWR|O_CREAT)|\b(?:mkdir|mkdirat|rename)\("
    )
    return [
        line
        for line in trace.splitlines()
        if changing.search(line) and not re.search(r'"/(?:dev|proc|sys)/|= -1 ', line)
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("workers", "fast"), [("2", True), ("1", False)], ids=["workers with onnxruntime", "alone with numpy"]
)
def test_a_run_opens_no_connection_and_writes_no_file(tmp_path: Path, workers: str, *, fast: bool) -> None:
    program = PROGRAM if fast else f"{WITHOUT}{PROGRAM}"
    printed, trace = traced(tmp_path, program, workers, str(CASES[workers]), str(STILL if fast else 0))
    assert printed.strip() == str(fast)
    assert len(re.findall(r"execve\(.*\"-P\"", trace)) >= (int(workers) if workers != "1" else 0)
    assert connections(trace) == []
    assert written(trace) == []
    assert list((tmp_path / "home").rglob("*")) == []
