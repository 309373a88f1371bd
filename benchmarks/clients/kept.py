"""ragstone with a metric without a judge, on a file of any size: the cost of reading, measuring and storing.

python -m benchmarks.clients.kept --rows cases.jsonl --store runs.sqlite3 --every 1000
"""

import argparse
import json
import resource
import sys
import time
from pathlib import Path
from typing import Any

from ragstone import evaluate
from ragstone.event import Event, MeasurementFinished

_MEGABYTE = 1_000_000


class Curve:
    """Event listener that records the memory of a run at intervals of results."""

    def __init__(self, every: int) -> None:
        """Record the memory after every `every` results."""
        self.every = every
        self.seen = 0
        self.points: list[tuple[int, float]] = []

    def __call__(self, event: Event) -> None:
        """Count."""
        self.seen += isinstance(event, MeasurementFinished)
        if isinstance(event, MeasurementFinished) and self.seen % self.every == 0:
            self.points.append((self.seen, memory_now()))


def memory_now() -> float:
    """Return the resident memory of this process, in megabytes."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * resource.getpagesize() / _MEGABYTE


def main() -> int:
    """Measure and print JSON."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", required=True, help="JSON lines")
    parser.add_argument("--store")
    parser.add_argument("--every", type=int, default=100_000, help="results between two looks at the memory")
    options = parser.parse_args()
    one = [{"input": "q", "actual_output": "a", "expected_output": "a"}]
    evaluate(one, ["exact_match"]).summary()  # imports
    curve = Curve(options.every)
    asked: dict[str, Any] = {"store": options.store} if options.store else {}
    wall, cpu = time.perf_counter(), time.process_time()
    report = evaluate(options.rows, ["exact_match"], progress=False, listeners=[curve], **asked)
    summary = report.summary()["ExactMatch"]
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / _MEGABYTE
    told = {
        "wall": wall,
        "cpu": cpu,
        "peak": peak,
        "n": summary.n,
        "mean": summary.mean,
        "curve": curve.points,
    }
    json.dump(told, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
