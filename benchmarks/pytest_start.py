"""Start-up cost of the pytest plug-in for runs without it, and time that prefetching saves for runs with it.

    python -m benchmarks.pytest_start

Start-up: one trivial test, with the plug-in and without, no other beside it, in turn, median of 15 of each.
Ahead: 300 parametrised cases, one question each, against a loopback judge that takes 100 ms; sequential time is 30 s.
What other plug-ins of the environment cost (LangSmith's takes a second) is not counted: none is loaded there.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.launch import launched

ROOT = Path(__file__).parents[1]
ROUNDS, CASES, LATENCY = 15, 300, 0.1
METRIC = "contextual_relevancy"

PLUGIN = "ragstone.pytest_plugin"
ALONE = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
"""Disables plug-ins of other packages, which take seconds to start: their noise would hide the cost of ours."""


def main() -> None:
    """Print both figures."""
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder) / ".site" / "ragstone-0.1.0.dist-info"
        site.mkdir(parents=True)
        (site / "METADATA").write_text("Metadata-Version: 2.1\nName: ragstone\nVersion: 0.1.0\n")
        (site / "entry_points.txt").write_text("[pytest11]\nragstone = ragstone.pytest_plugin\n")
        _start_up(Path(folder))
        for processes in ([], ["-n", "2"]):
            _ahead(Path(folder), processes)


def _start_up(folder: Path) -> None:
    (folder / "test_trivial.py").write_text("def test_trivial(): pass\n")
    wall: dict[str, list[float]] = {"with": [], "without": []}
    processor: dict[str, list[float]] = {"with": [], "without": []}
    for _ in range(ROUNDS):
        for kind, arguments in (("with", ["-p", PLUGIN]), ("without", [])):
            start, used = time.perf_counter(), _used()
            _pytest(folder, "test_trivial.py", *arguments, **ALONE)
            wall[kind].append(time.perf_counter() - start)
            processor[kind].append(_used() - used)
    for name, seconds in (("wall", wall), ("processor", processor)):
        more = (statistics.median(seconds["with"]) - statistics.median(seconds["without"])) * 1000
        print(
            f"start-up of pytest with the plug-in unused, {name} time: {more:+.0f} ms (medians of {ROUNDS})"
        )


def _used() -> float:
    """Return the processor seconds of all child processes so far, which do not depend on the machine's load."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _ahead(folder: Path, processes: list[str]) -> None:
    rows = (
        {"input": f"{n}?", "actual_output": f"{n}.", "retrieval_context": [f"Passage {n}."]}
        for n in range(CASES)
    )
    (folder / "cases.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    (folder / "test_cases.py").write_text(
        "import pytest\nfrom ragstone.testing import assert_passes\n"
        f"@pytest.mark.ragstone_dataset('cases.jsonl')\n"
        f"def test_case(case): assert_passes(case, '{METRIC}', threshold=0)\n"
    )
    with launched(latency_ms=LATENCY * 1000) as server:
        address = {"OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": "sk-loopback"}
        start = time.perf_counter()
        loaded = ("-p", PLUGIN, *(["-p", "xdist"] if processes else []))
        _pytest(
            folder,
            *loaded,
            "test_cases.py",
            "--judge=openai",
            "--ragstone-concurrency=32",
            *processes,
            **ALONE,
            **address,
        )
        took = time.perf_counter() - start
        asked = server.stats()["calls"]
    sequential = asked * LATENCY
    print(
        f"{CASES} tests, {asked} questions of {LATENCY * 1000:.0f} ms {' '.join(processes) or 'in one process'}: "
        f"{took:.1f} s, start-up included; one after another {sequential:.0f} s ({sequential / took:.1f} times)"
    )


def _pytest(folder: Path, *arguments: str, **environment: str) -> None:
    path = os.pathsep.join((str(folder / ".site"), str(ROOT / "src"), str(ROOT)))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    run = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode:
        raise SystemExit(run.stdout + run.stderr)


if __name__ == "__main__":
    main()
