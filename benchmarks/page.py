"""How quick the page is over 100,000 results, and whether viewers cost memory.

    python -m benchmarks.page [--cases 20000] [--viewers 50] [--seconds 15]

A store with two runs of 20,000 test cases and five metrics is made, and served by `ragstone serve` in a process of its
own. Printed: the server's time for each page, the time to the first paint in Chromium where it is installed, and the
server's memory while so many viewers follow a run that another process writes.
"""

import argparse
import asyncio
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which
from statistics import median
from urllib.parse import urlencode

import httpx

from ragstone import TestCase
from ragstone.event import MeasurementFinished, RunFinished, RunStarted
from ragstone.metrics.base.parse import parse
from ragstone.result import Result, Usage
from ragstone.run import Plan, Run
from ragstone.store import RunQuery, Store, open_store

METRICS = ("faithfulness", "answer_relevancy", "contextual_precision", "contextual_recall", "hallucination")
_ROUNDS = 5
_QUIET = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")


def fill(store: Store, cases: int, name: str, *, pause: float = 0.0) -> Run:
    """Store a run with `cases` test cases through the recorder that runs use."""
    chance = random.Random(name)
    run = Run.begin(Plan(metrics=METRICS, judge="local", name=name, dataset="large.jsonl"))
    recorder = store.recorder()
    recorder(RunStarted(run, cases * len(METRICS)))
    titles = [parse(spec).title for spec in METRICS]
    for index in range(cases):
        case = TestCase(
            input=f"How many days can person {index} work from home in week {index % 53}?",
            actual_output=f"Person {index} can work from home {index % 6} days a week. The manager must approve it.",
            retrieval_context=("Policy 4.2: up to three days a week.", "Policy 4.3: the manager approves."),
            tags=(f"team{index % 9}",),
        )
        for place, spec in enumerate(METRICS):
            recorder(MeasurementFinished(index, place, case, _result(case, spec, titles[place], chance)))
        if pause:
            time.sleep(pause)
    recorder(RunFinished(run, complete=True))
    return run


def _result(case: TestCase, spec: str, title: str, chance: random.Random) -> Result:
    score = round(chance.betavariate(6, 1.5), 3)
    return Result(
        metric=title,
        spec=spec,
        score=score,
        success=score >= 0.5,
        reason="Two of three claims are borne out; passage 1 says up to three days.",
        usage=Usage(calls=2, input_tokens=800, output_tokens=90),
        evaluation_cost=0.0002,
        latency_ms=chance.expovariate(1 / 800),
        case_id=case.id,
        judge="local",
    )


@contextmanager
def serving(store: Path) -> Iterator[tuple[str, int]]:
    command = [
        sys.executable,
        "-c",
        "from ragstone.cli import main; main()",
        "serve",
        "--port",
        "0",
        "--store",
        str(store),
    ]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            said = process.stderr.readline() if process.stderr else ""
            found = re.search(r"http://\S+", said)
            if found is None:
                raise SystemExit(f"the server did not start: {said}")
            yield found[0], process.pid
        finally:
            process.terminate()


@contextmanager
def _writing(store: Path) -> Iterator[None]:
    """Run another process that writes fifty test cases per second."""
    words = f"fill(open_store({str(store)!r}), 100_000, 'live', pause=0.02)"
    words = f"from benchmarks.page import fill, open_store; {words}"
    with subprocess.Popen([sys.executable, "-c", words]) as process:
        try:
            yield
        finally:
            process.kill()


def memory_megabytes(pid: int) -> float:
    """Return the resident memory of a process, in megabytes."""
    told = Path(f"/proc/{pid}/status").read_text("utf-8")
    return int(re.search(r"VmRSS:\s+(\d+)", told)[1]) / 1024  # type: ignore[index]


def processor_seconds(pid: int) -> float:
    """Return the processor time of a process, in seconds, which does not depend on the machine's load."""
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def server_times(address: str, pages: dict[str, str], pid: int) -> None:
    """Print the server's time for each page: the first request, the median of five, and processor time."""
    print(f"\n{'page':44} {'first':>8} {'median':>8} {'processor':>10} {'size':>9}")
    with httpx.Client(base_url=address, timeout=120) as client:
        for name, path in pages.items():
            taken, used = [], processor_seconds(pid)
            for _ in range(_ROUNDS):
                start = time.perf_counter()
                answer = client.get(path)
                taken.append(time.perf_counter() - start)
            worked = (processor_seconds(pid) - used) / _ROUNDS
            if answer.status_code == 200:
                size = f"{len(answer.content) / 1000:,.0f} kB"
                times = f"{taken[0] * 1000:5.0f} ms {median(taken) * 1000:5.0f} ms {worked * 1000:7.0f} ms"
                print(f"{name:44} {times} {size:>9}")
            else:
                print(f"{name:44} answered {answer.status_code}")


def first_paints(address: str, pages: dict[str, str]) -> None:
    """Print the time to the first paint of each page, in a browser that has been warmed up."""
    chromium = which("chromium")
    if chromium is None:
        print("\nfirst paint: not measured, Chromium is not installed")
        return
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  (only where there is a browser)

    print(f"\n{'first paint':44} {'median':>8}")
    asked = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=[*_QUIET])
        page = browser.new_page()
        for name, path in pages.items():
            taken = []
            for _ in range(3):
                page.goto(address + path)
                page.wait_for_timeout(150)
                taken.append(page.evaluate(asked))
            print(f"{name:44} {median(taken):5.0f} ms")
        browser.close()


async def _view(address: str, run: str, until: float, told: list[int]) -> None:
    async with (
        httpx.AsyncClient(timeout=30) as client,
        client.stream("GET", f"{address}/runs/{run}/live") as stream,
    ):
        async for piece in stream.aiter_raw():
            told.append(len(piece))
            told.extend([0] * piece.count(b"event: news"))
            if time.monotonic() > until:
                return


async def _watch(address: str, run: str, pid: int, viewers: int, seconds: float) -> None:
    before, until, told = memory_megabytes(pid), time.monotonic() + seconds, list[int]()
    tasks = [asyncio.create_task(_view(address, run, until, told)) for _ in range(viewers)]
    seen = []
    while time.monotonic() < until:
        await asyncio.sleep(seconds / 6)
        seen.append(memory_megabytes(pid))
    await asyncio.wait(tasks, timeout=10)
    for task in tasks:
        task.cancel()
    shown = ", ".join(f"{value:.0f}" for value in seen)
    print(f"\n{viewers} viewers for {seconds:g} s: {told.count(0):,} events, {sum(told) / 1e6:,.0f} MB")
    print(f"memory of the server: {before:.0f} MB before, then {shown} MB")


def main() -> None:
    """ResultView."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--viewers", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=15)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ragstone-page-") as folder:
        path = Path(folder, "runs.sqlite3")
        store = open_store(path)
        start = time.perf_counter()
        first, second = fill(store, asked.cases, "before"), fill(store, asked.cases, "after")
        results = asked.cases * len(METRICS)
        print(f"two runs of {results:,} results each, written in {time.perf_counter() - start:.0f} s")
        store.baselines.put("main", store.find(first.id).number)
        run, score = f"/runs/{second.id}", urlencode({"sort": "score", "metric": METRICS[0]})
        pages = {
            "runs": "/",
            "run": run,
            "run, last page": f"{run}?page={asked.cases // 50}",
            "run, sorted by one metric": f"{run}?{score}",
            "run, search": f"{run}?text=person+777",
            "run, below the threshold": f"{run}?status=FAIL",
            "run, flipped against the baseline": f"{run}?flipped=main",
            "evaluate": "/evaluate",
            "case": f"{run}/cases/17",
            "compare": f"/compare?runs={first.id}&runs={second.id}",
            "compare, the differences, other way": f"/api/compare?runs={second.id}&runs={first.id}",
            "annotate": f"/annotate?run={second.id}",
            "API: 500 results": f"/api{run}/results?size=500",
        }
        with serving(path) as (address, pid):
            server_times(address, pages, pid)
            first_paints(address, {name: pages[name] for name in ("runs", "run", "evaluate", "case")})
            with _writing(path):
                while not store.history(RunQuery(name="live")).count:
                    time.sleep(0.1)
                asyncio.run(_watch(address, store.find("live").run.id, pid, asked.viewers, asked.seconds))


if __name__ == "__main__":
    main()
