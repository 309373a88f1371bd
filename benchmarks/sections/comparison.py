"""The comparison of two runs with many results: on the page, first and repeated, and by the command."""

import sys
import tempfile
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import httpx

from benchmarks.measure import Setting, environment
from benchmarks.page import METRICS, fill, memory_megabytes, processor_seconds, serving
from benchmarks.sections import NotHere
from benchmarks.sections.startup import start
from benchmarks.table import Row
from ragstone.store import open_store

TITLE = "Differences of two runs, five metrics"
_MOST_FIRST, _MOST_THEN = 2.0, 0.150
_ROUNDS = 5


class Visit(NamedTuple):
    """The server's time for a page, in seconds."""

    wall: float
    cpu: float


def rows(setting: Setting) -> Iterator[Row]:
    if find_spec("fastapi") is None:
        raise NotHere("the page is not installed: pip install 'ragstone[serve]'")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "runs.sqlite3")
        store = open_store(path)
        before, after = (fill(store, setting.large // len(METRICS), name) for name in ("before", "after"))
        store.close()
        address = f"/compare?runs={before.id}&runs={after.id}&wait=true"
        with serving(path) as (origin, process), httpx.Client(base_url=origin, timeout=600) as client:
            list_page = min(_visit(client, "/", process) for _ in range(_ROUNDS))
            memory = memory_megabytes(process)
            first = _visit(client, address, process)
            grown = memory_megabytes(process)
            then = min(_visit(client, address, process) for _ in range(_ROUNDS))
        command = (
            sys.executable,
            "-m",
            "benchmarks.clients.command",
            "compare",
            "before",
            "after",
            "--store",
            str(path),
        )
        compared = start(command, environment(home=folder))
    what = f"2 x {setting.large:,} results"
    yield _row(
        f"{what}, first visit", first, f"the list of runs: {_shown(list_page)}", list_page, _MOST_FIRST
    )
    yield _row(f"{what}, then", then, f"first visit: {_shown(first)}", first, _MOST_THEN)
    yield Row(f"{what}, memory of the server", f"{grown:.0f} MB", f"before: {memory:.0f} MB", grown / memory)
    told = Visit(compared.wall, compared.cpu)
    yield Row(
        f"{what}, ragstone compare", _shown(told), f"first visit: {_shown(first)}", told.wall / first.wall
    )


def _row(what: str, visit: Visit, beside: str, other: Visit, most: float) -> Row:
    target = f"<= {most:g} s"
    return Row(what, _shown(visit), beside, visit.wall / other.wall, target, visit.wall <= most)


def _shown(visit: Visit) -> str:
    return f"{visit.wall:.2f} s ({visit.cpu:.2f} s CPU)"


def _visit(client: httpx.Client, address: str, process: int) -> Visit:
    begin, used = time.perf_counter(), processor_seconds(process)
    client.get(address).raise_for_status()
    return Visit(time.perf_counter() - begin, processor_seconds(process) - used)
