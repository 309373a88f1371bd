"""Overlap of calls: the time of a run with a slow judge, compared with the ideal time."""

import tempfile
from collections.abc import Iterator

from benchmarks.cases import cases
from benchmarks.launch import launched
from benchmarks.measure import Setting, take, write_rows
from benchmarks.table import Row

TITLE = "Six metrics, a judge that takes 200 ms"
LATENCY = 0.2
_MOST = 1.15


def rows(setting: Setting) -> Iterator[Row]:
    data = cases(setting.cases)
    with tempfile.TemporaryDirectory() as folder, launched(latency_ms=LATENCY * 1000) as judge:
        whole = write_rows(folder, "cases", [case.model_dump(exclude_defaults=True) for case in data])
        runs = [
            take("benchmarks.clients.ragstone", judge, whole, in_flight=setting.in_flight)
            for _ in range(setting.rounds)
        ]
    run = sorted(runs, key=lambda run: run.wall)[len(runs) // 2]
    at_best = run.calls * LATENCY / setting.in_flight
    many = setting.in_flight
    peak, connections = run.seen["peak_in_flight"], run.seen["peak_connections"]
    yield Row(
        "wall time",
        f"{run.wall:.2f} s",
        f"{run.calls:,} calls x 0.2 s / {many}: {at_best:.2f} s",
        run.wall / at_best,
        f"<= {_MOST}",
        run.wall / at_best <= _MOST,
    )
    yield Row("calls in flight at most", str(peak), f"allowed: {many}", peak / many, f"{many}", peak == many)
    yield Row(
        "connections open at most",
        str(connections),
        f"in flight: {peak}",
        connections / peak,
        "one pool",
        connections <= many,
    )
