"""The same run in one process and on a Ray cluster of this machine: the overhead of distribution to workers.

On the cores of one machine, shared with the server, Ray cannot be faster; the remaining work of the driver shows how
many machines one driver can supply.
"""

import tempfile
from collections.abc import Iterator
from importlib.util import find_spec

from benchmarks.cases import cases
from benchmarks.launch import launched
from benchmarks.measure import Setting, take, write_rows
from benchmarks.sections import NotHere
from benchmarks.table import Row, milliseconds

TITLE = "Six metrics on Ray, two workers on the same cores"


def rows(setting: Setting) -> Iterator[Row]:
    if find_spec("ray") is None:
        raise NotHere("Ray is not installed: pip install 'ragstone[ray]'")
    data = [case.model_dump(exclude_defaults=True) for case in cases(setting.cases)]
    with tempfile.TemporaryDirectory() as folder, launched() as judge:
        path = write_rows(folder, "cases", data)
        here = take("benchmarks.clients.ragstone", judge, path, in_flight=setting.in_flight)
        there = take("benchmarks.clients.ray", judge, path, in_flight=setting.in_flight)
    yield Row(
        "wall, workers' start included",
        f"{there.wall:.2f} s",
        f"one process: {here.wall:.2f} s",
        there.wall / here.wall,
    )
    yield Row(
        "the driver's CPU a call",
        milliseconds(there.cpu_per_call),
        f"one process: {milliseconds(here.cpu_per_call)}",
        there.cpu_per_call / here.cpu_per_call,
    )
    yield Row("calls", f"{there.calls:,}", f"one process: {here.calls:,}", there.calls / here.calls)
    same = sum(mine == theirs for mine, theirs in zip(there.scores, here.scores, strict=True))
    yield Row(
        "cases scored alike",
        f"{same:,}",
        f"of {len(data):,}",
        same / len(data),
        "all",
        same == len(data),
    )
