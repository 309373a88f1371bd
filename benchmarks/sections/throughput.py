"""Cost of a call: the whole stack compared with aiohttp alone, which sends the same requests."""

import tempfile
from collections.abc import Iterator, Sequence
from statistics import median

from benchmarks.cases import cases
from benchmarks.launch import launched
from benchmarks.measure import Setting, Taken, take, write_rows
from benchmarks.recording import requests
from benchmarks.table import Row, milliseconds

TITLE = "Six metrics, a judge that answers at once"
_LEAST_CALLS, _MOST_CPU = 1200, 0.0007


def rows(setting: Setting) -> Iterator[Row]:
    ours, bare = _in_turn(setting)
    rate, bare_rate = (median(run.calls_per_second for run in runs) for runs in (ours, bare))
    yield Row(
        "calls a second",
        f"{rate:,.0f}",
        f"aiohttp alone: {bare_rate:,.0f}",
        rate / bare_rate,
        f">= {_LEAST_CALLS:,}, quiet",
        rate >= _LEAST_CALLS,
    )
    cpu, bare_cpu = (median(run.cpu_per_call for run in runs) for runs in (ours, bare))
    yield Row(
        "client CPU a call",
        milliseconds(cpu),
        f"aiohttp alone: {milliseconds(bare_cpu)}",
        cpu / bare_cpu,
        "<= 0.7 ms",
        cpu <= _MOST_CPU,
    )
    server = median(run.seen["cpu_seconds"] / run.calls for run in ours)
    yield Row("server CPU a call", milliseconds(server), f"client: {milliseconds(cpu)}", server / cpu)


def _in_turn(setting: Setting) -> tuple[Sequence[Taken], Sequence[Taken]]:
    """Run ragstone and the bare client in turn."""
    data = cases(setting.cases)
    with tempfile.TemporaryDirectory() as folder, launched() as judge:
        whole = write_rows(folder, "cases", [case.model_dump(exclude_defaults=True) for case in data])
        bodies = write_rows(folder, "bodies", requests(data))
        pairs = [
            (
                take("benchmarks.clients.ragstone", judge, whole, in_flight=setting.in_flight),
                take("benchmarks.clients.aiohttp", judge, bodies, in_flight=setting.in_flight),
            )
            for _ in range(setting.rounds)
        ]
    return [ours for ours, _ in pairs], [bare for _, bare in pairs]
