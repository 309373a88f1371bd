"""Kill one of the workers of a run on Ray in the middle, and compare the end with the run of a single process.

    python -m benchmarks.lost_worker --cases 2000

What must hold: every result is there, once, and equal to the single process's (but for what time and the sharing of
answers decide); and no more calls are made in vain than were in flight.
"""

import argparse
import json
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.cases import cases
from benchmarks.kills import TIME_DECIDES
from benchmarks.launch import Launched, launched
from ragstone import Ray, TestCase, evaluate
from ragstone.event import Event, MeasurementFinished
from ragstone.findings import Report
from ragstone.judges import LLMJudge
from ragstone.providers import OpenAI

METRICS = (
    "contextual_precision",
    "answer_relevancy",
    "faithfulness",
    "g_eval(name='Fit', criteria='Does the answer fit the question?')",
)
_TITLE = b"ray::RayWorker"


@dataclass(frozen=True)
class Outcome:
    """Outcome of the measurement.

    Attributes:
        equal: whether the results equal those of the single process, in the same order.
        results: number of results.
        told_twice: positions whose result was reported more than once.
        killed: process ids of the workers that were killed.
        workers: process ids of the workers that were seen.
        calls: judge calls, and those of the single process.
        seconds: wall time of the run, and of the single process.
    """

    equal: bool
    results: int
    told_twice: int
    killed: tuple[int, ...]
    workers: tuple[int, ...]
    calls: tuple[int, int]
    seconds: tuple[float, float]

    def good(self, in_flight: int) -> bool:
        """Return whether all requirements hold."""
        in_vain = self.calls[0] - self.calls[1]
        return self.equal and not self.told_twice and bool(self.killed) and in_vain <= in_flight


@dataclass
class Assassin:
    """Event listener that kills one worker after a number of results.

    Attributes:
        after: number of results before the kill.
        killed: process ids of the killed workers.
        seen: process ids of the workers at that time.
        told: number of results reported for each position.
    """

    after: int
    killed: list[int] = field(default_factory=list)
    seen: list[int] = field(default_factory=list)
    told: Counter[tuple[int, int]] = field(default_factory=Counter)

    def __call__(self, event: Event) -> None:
        """Count the result, and kill a worker when the number is reached."""
        if not isinstance(event, MeasurementFinished):
            return
        self.told[event.case_index, event.metric_index] += 1
        if self.told.total() == self.after:
            self.seen = sorted(workers())
            os.kill(self.seen[0], signal.SIGKILL)
            self.killed.append(self.seen[0])


def measure(server: Launched, *, count: int, concurrency: int) -> Outcome:
    """Run in this process, then on Ray with a worker killed half-way, and compare."""
    given = {
        "judge": LLMJudge(provider=OpenAI(model="fake", api_key="sk-loopback", base_url=server.base_url)),
        "concurrency": concurrency,
        "timeout": 300,
    }
    data = [_alone(case) for case in cases(count)]
    server.reset()
    begin = time.perf_counter()
    expected = evaluate(data, METRICS, **given)
    alone, calls = time.perf_counter() - begin, server.stats()["calls"]
    server.reset()
    assassin = Assassin(count * len(METRICS) // 2)
    report = evaluate(data, METRICS, **given, engine=Ray(workers=2), listeners=[assassin])
    found = lines(report)
    return Outcome(
        equal=found == lines(expected),
        results=len(found),
        told_twice=sum(times > 1 for times in assassin.told.values()),
        killed=tuple(assassin.killed),
        workers=tuple(assassin.seen),
        calls=(server.stats()["calls"], calls),
        seconds=(report.seconds, alone),
    )


def _alone(case: TestCase) -> TestCase:
    """Return a test case that shares no prompt with another: such prompts are shared within a worker only."""
    return case.model_copy(update={"actual_output": f"Number {case.id}. {case.actual_output}"})


def lines(report: Report) -> list[dict[str, Any]]:
    """Return the results, without fields that depend on timing."""
    found = [json.loads(result.model_dump_json()) for results in report.results for result in results]
    return [{key: value for key, value in line.items() if key not in TIME_DECIDES} for line in found]


def workers() -> Iterator[int]:
    """Yield the process ids of the workers that descend from this process."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and _title(entry).startswith(_TITLE) and os.getpid() in _ancestors(entry):
            yield int(entry.name)


def _title(process: Path) -> bytes:
    try:
        return process.joinpath("cmdline").read_bytes()
    except OSError:  # ended meanwhile
        return b""


def _ancestors(process: Path) -> Iterator[int]:
    while process.name not in ("0", "1"):
        try:
            parent = process.joinpath("stat").read_text().rpartition(")")[2].split()[1]
        except OSError:
            return
        yield int(parent)
        process = process.with_name(parent)


def main() -> int:
    """Read the flags, measure, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--concurrency", type=int, default=32)
    parser.add_argument("--latency-ms", type=float, default=20.0)
    given = parser.parse_args()
    with launched(latency_ms=given.latency_ms, jitter_ms=given.latency_ms / 2) as server:
        outcome = measure(server, count=given.cases, concurrency=given.concurrency)
    good = outcome.good(given.concurrency)
    print(f"{outcome}; {'good' if good else 'BAD'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
