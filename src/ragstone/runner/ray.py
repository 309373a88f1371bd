"""Execute a run on Ray: the same plan, the same events, the same store, with workers on as many machines as there are.

Each worker is an actor that holds one judge and one connection pool. Limits, budget and store stay with the driver, see
`_foreman.py`. A Ray dataset may be the data, and is streamed. Why actors, and not Ray Data's own `map_batches`:
docs/adr/0014-ray.md. Only this file knows Ray.
"""

import logging
import os
import re
import socket
import sys
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager, suppress
from itertools import chain
from threading import Lock
from typing import Any

from ragstone.case import TestCase
from ragstone.datasets import BadRow
from ragstone.errors import BadOption, UsageError, WorkerLost
from ragstone.event import Emit
from ragstone.judges import Judge
from ragstone.judges._budget import Budget
from ragstone.judges._desk import Desk, Kept
from ragstone.judges._limits import Bounds, limits_of
from ragstone.metrics import Metric
from ragstone.plugins import needs_extra
from ragstone.providers._transport import open_transport
from ragstone.run import Plan, Run
from ragstone.runner._foreman import Foreman, Office
from ragstone.runner._past import NoPast, Past
from ragstone.runner._shift import shift
from ragstone.runner._work import tasks
from ragstone.runner._worker import Worker

_OBJECT_STORE = 128 * 2**20
"""Bytes of shared memory that a cluster of our own may take: packets are small, and gone when read."""

_PATIENCE = 10.0
"""Seconds for a cluster's machine to answer."""

_COLOURS = re.compile("\x1b\\[[0-9;]*m")

_MOST_AT_ONCE = 100
"""Messages that a worker takes in at once."""


async def execute_on_ray(
    run: Run,
    rows: Iterable[TestCase | BadRow],
    metrics: Sequence[Metric],
    judge: Judge,
    emit: Emit,
    *,
    total: int | None = None,
    past: Past | None = None,
    kept: Kept | None = None,
    address: str | None = None,
    workers: int | None = None,
) -> None:
    """Measure every metric on every test case, as `execute` does, on a Ray cluster.

    Args:
        run: as for `execute`.
        rows: likewise; read here, and handed out as workers get through.
        metrics: likewise; their classes must be importable on the workers, or stand in the program itself.
        judge: likewise; each worker gets a copy.
        emit: likewise.
        total: likewise.
        past: likewise.
        kept: likewise.
        address: the cluster to join, `auto` for one on this machine; None starts one for the time of the run, unless
            the program is connected to one already.
        workers: how many; None for one on each processor core, and no more than calls may be in flight.

    Raises:
        MissingExtra: Ray is not installed.
        BadOption: the judge or a metric cannot be sent to another process.
        UsageError: there is no cluster at `address`.
        WorkerLost: workers die before they have measured anything.
        StoreError: one who listens cannot keep what it is told.
    """
    past = past or NoPast()
    plan = run.plan
    crew = checked_workers(workers)
    limits = limits_of(judge)
    bounds = Bounds(concurrency=plan.concurrency, rpm=plan.rpm, tpm=plan.tpm)
    budget = Budget(plan.max_cost, spent=past.spent)
    with _cluster(address, crew) as ray, shift(run, emit, total) as begun:
        work = tasks(rows, metrics, emit, past)
        first = next(work, None)
        if first is None:
            return
        desk = Desk(
            judge, bounds=bounds, limits=limits, budget=budget, emit=emit, recall=past.recall, kept=kept
        )
        async with open_transport(timeout=plan.timeout, on_overload=lambda told: limits.slow_down(told.told)):
            try:
                size = min(crew or _cores(ray), plan.concurrency)
                kit = _packed(
                    ray,
                    plan,
                    metrics,
                    judge,
                    counts_tokens=limits.counts_tokens,
                    resumed=not isinstance(past, NoPast),
                )
                foreman = Foreman(
                    begun,
                    Office(desk, limits, budget, past, kept),
                    chain([first], work),
                    lambda: _Actor(ray, kit, min(1.0, _cores(ray) / size)),
                    size,
                )
                await foreman.work_off()
            finally:
                await desk.close()


def checked_workers(workers: int | None) -> int | None:
    """Return how many workers there are to be.

    Raises:
        BadOption: it is no whole number from 1 on.
    """
    if workers is not None and (isinstance(workers, bool) or workers < 1):
        raise BadOption(f"ray_workers={workers!r}: write a whole number, 1 or more, or leave it out")
    return workers


class _Actor:
    """The way to a worker that is an actor."""

    def __init__(self, ray: Any, kit: Any, cores: float) -> None:  # noqa: ANN401  (Ray is untyped)
        """Ask the cluster for a worker that takes so much of a core."""
        self._ray = ray
        options = {"num_cpus": cores, "max_restarts": 0, "max_concurrency": _MOST_AT_ONCE}
        self._handle = ray.remote(Crewman).options(**options, scheduling_strategy="SPREAD").remote(kit)

    async def begin(self) -> None:
        await self._of(self._handle.begin.remote())

    async def tell(self) -> bytes:
        return await self._of(self._handle.tell.remote())

    def take(self, packet: bytes) -> None:
        with suppress(self._ray.exceptions.RayError):
            self._handle.take.remote(packet)

    def dismiss(self) -> None:
        with suppress(self._ray.exceptions.RayError):
            self._ray.kill(self._handle)

    async def _of(self, coming: Any) -> Any:  # noqa: ANN401  (whatever the worker returns)
        try:
            return await coming
        except self._ray.exceptions.RayActorError as error:
            raise WorkerLost(_in_short(error)) from error


class Crewman(Worker):
    """A worker as an actor: made anew from what was packed for it."""

    def __init__(self, kit: tuple[list[str], bytes]) -> None:
        """Unpack; what the driver can import from folders that are here too, so can we."""
        cloudpickle: Any = needs_extra("a worker on Ray", "ray", "ray.cloudpickle")
        folders, packed = kit
        sys.path.extend(folder for folder in folders if folder not in sys.path)
        arguments: dict[str, Any] = cloudpickle.loads(packed)
        super().__init__(**arguments, dumps=(cloudpickle.dumps,))


def _packed(ray: Any, plan: Plan, metrics: Sequence[Metric], judge: Judge, **more: bool) -> Any:  # noqa: ANN401
    """Return all that a worker is made of, kept once in the cluster.

    Raises:
        BadOption: some of it cannot be sent.
    """
    for what, thing in ((f"The judge {judge.name}", judge), *((metric.spec, metric) for metric in metrics)):
        try:
            ray.cloudpickle.dumps(thing)
        except Exception as error:
            raise BadOption(
                f"{what} cannot be sent to Ray's workers: {error}. Give a judge or metric by its spec, such as "
                "openai:gpt-4o or package.module:Class, or one that pickle can copy; or use engine='local'."
            ) from error
    packed = ray.cloudpickle.dumps({"plan": plan, "metrics": tuple(metrics), "judge": judge, **more})
    return ray.put((sys.path, packed))


def _in_short(error: Exception) -> str:
    """Return the first and the last line of what Ray says about a dead actor: what happened, and why."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
    return _COLOURS.sub("", " … ".join(dict.fromkeys((lines[0], lines[-1]))))


def _cores(ray: Any) -> int:  # noqa: ANN401
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


_joining = Lock()
_joined = 0
"""Runs that use a cluster of our own: Ray knows one connection a process, and the last run closes it."""


@contextmanager
def _cluster(address: str | None, workers: int | None) -> Generator[Any]:
    """Give Ray, connected to a cluster.

    Raises:
        MissingExtra: Ray is not installed.
        UsageError: there is no cluster at the address.
    """
    global _joined  # noqa: PLW0603  (as Ray's own connection)
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    ray = needs_extra("engine='ray'", "ray", "ray")
    with _joining:
        ours = _joined > 0 or not ray.is_initialized()
        if not ray.is_initialized():
            _connect(ray, address, workers)
        _joined += ours
    try:
        yield ray
    finally:
        with _joining:
            _joined -= ours
            if ours and not _joined:
                ray.shutdown()


def _knock(address: str) -> None:
    """See whether anybody is there: Ray itself would try for a minute.

    Raises:
        OSError: nobody is.
    """
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if host and port.isdecimal():
        socket.create_connection((host, int(port)), _PATIENCE).close()


def _connect(ray: Any, address: str | None, workers: int | None) -> None:  # noqa: ANN401
    quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
    if address is None:
        cores = max(workers or 0, os.cpu_count() or 1)
        ray.init(
            address="local",
            _node_ip_address="127.0.0.1",  # nobody else is to join
            num_cpus=cores,
            object_store_memory=_OBJECT_STORE,
            include_dashboard=False,
            **quiet,
        )
        return
    try:
        _knock(address)
        ray.init(address=address, **quiet)
    except (OSError, ValueError, RuntimeError) as error:
        why = " ".join(str(error).split()).rstrip(".")
        raise UsageError(
            f"There is no Ray cluster at {address!r}: {why}. Start one with `ray start --head`, or leave the address "
            "out for one of the run's own."
        ) from error
