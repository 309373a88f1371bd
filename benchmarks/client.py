"""Common code of the measured programs: each gets a server and rows, warms up on two, measures itself, prints JSON.

Only the standard library is used, so that a program in a peer's environment can import this.
"""

import argparse
import json
import sys
import time
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Rows = Sequence[dict[str, Any]]
Scores = list[list[float | None]]


@dataclass(frozen=True)
class Told:
    """Parameters of a measured program.

    Attributes:
        origin: URL of the judge server, without a path.
        in_flight: most calls at once.
        metrics: what to measure; empty for the program's own choice.
    """

    origin: str
    in_flight: int
    metrics: tuple[str, ...] = ()

    @property
    def base_url(self) -> str:
        """The base URL that a client uses in place of the vendor's."""
        return f"{self.origin}/v1"


def measured(work: Callable[[Rows, Told], Scores]) -> None:
    """Do the `work` on two rows, then on all; print the times of the second pass, and of the imports."""
    imported = time.process_time()
    parser = argparse.ArgumentParser()
    parser.add_argument("--origin", required=True)
    parser.add_argument("--rows", type=Path, required=True, help="JSON lines")
    parser.add_argument("--in-flight", type=int, default=64)
    parser.add_argument("--metrics", nargs="*", default=[])
    options = parser.parse_args()
    told = Told(options.origin, options.in_flight, tuple(options.metrics))
    rows = [json.loads(line) for line in options.rows.read_text("utf-8").splitlines()]
    printed = sys.stdout
    sys.stdout = sys.stderr  # output of libraries is not part of the answer
    work(rows[:2], told)  # two rows, as the interval of their mean loads numpy
    reset = urllib.request.Request(f"{told.origin}/reset", method="POST")  # noqa: S310 - our own loopback address
    urllib.request.urlopen(reset, timeout=10).close()  # noqa: S310 - likewise
    wall, cpu = time.perf_counter(), time.process_time()
    scores = work(rows, told)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(json.dumps({"imported": imported, "wall": wall, "cpu": cpu, "scores": scores}), file=printed)
