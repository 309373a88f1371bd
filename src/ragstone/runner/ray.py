"""Execute a run on Ray: the same plan, the same events, the same store, with workers on as many machines as there are.

Each worker is an actor that holds one judge and one connection pool. Limits, budget and store stay with the driver, see
`_foreman.py`. A Ray dataset may be the data, and is streamed. Why actors, and not Ray Data's own `map_batches`:
docs/adr/0014-ray.md. Only this file and `_cluster.py` know Ray.
"""

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any, NamedTuple

from ragstone.case import TestCase
from ragstone.datasets import BadRow
from ragstone.errors import BadOption, WorkerLost
from ragstone.event import Emit
from ragstone.judges import Judge
from ragstone.judges._budget import Budget
from ragstone.judges._desk import Desk, Kept
from ragstone.judges._limits import Bounds, limits_of
from ragstone.metrics import Metric
from ragstone.providers._transport import open_transport
from ragstone.run import Run
from ragstone.runner._cluster import cluster, cores
from ragstone.runner._foreman import Foreman, Office
from ragstone.runner._past import NoPast, Past
from ragstone.runner._shift import Shift, shift
from ragstone.runner._work import Task, tasks
from ragstone.runner._worker import Worker

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
        address: the cluster to join, `auto` for one on this machine; where None the one that RAY_ADDRESS names, or one
            that is started for the time of the run. A program that is connected already stays where it is.
        workers: how many; None for one on each processor core, and no more than calls may be in flight.

    Raises:
        MissingExtra: Ray is not installed.
        BadOption: the judge or a metric cannot be sent to another process.
        UsageError: there is no cluster at `address`.
        WorkerLost: workers die before they have measured anything.
        StoreError: one who listens cannot keep what it is told.
    """
    past = past or NoPast()
    size = checked_workers(workers)
    with cluster(address, size) as ray:
        _check_travellers(ray, metrics, judge)
        with shift(run, emit, total) as begun:
            work = tasks(rows, metrics, emit, past)
            first = next(work, None)
            if first is not None:
                crew = _Crew(ray, metrics, judge, min(size or cores(ray), run.plan.concurrency))
                await _work_off(chain([first], work), begun, crew, past, kept)


class _Crew(NamedTuple):
    """Who works, and what each is made of."""

    ray: Any
    metrics: Sequence[Metric]
    judge: Judge
    size: int


async def _work_off(work: Iterator[Task], shift: Shift, crew: _Crew, past: Past, kept: Kept | None) -> None:
    plan, limits = shift.plan, limits_of(crew.judge)
    budget = Budget(plan.max_cost, spent=past.spent)
    desk = Desk(
        crew.judge,
        bounds=Bounds(concurrency=plan.concurrency, rpm=plan.rpm, tpm=plan.tpm),
        limits=limits,
        budget=budget,
        emit=shift.emit,
        recall=past.recall,
        kept=kept,
    )
    kit = _packed(crew, plan=plan, counts_tokens=limits.counts_tokens, resumed=not isinstance(past, NoPast))
    share = min(1.0, cores(crew.ray) / crew.size)
    office = Office(desk, limits, budget, past, kept)
    async with open_transport(timeout=plan.timeout, on_overload=lambda told: limits.slow_down(told.told)):
        try:
            await Foreman(shift, office, work, lambda: _Actor(crew.ray, kit, share), crew.size).work_off()
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
        from ray import cloudpickle as its_own  # noqa: PLC0415  (we are inside of Ray)

        cloudpickle: Any = its_own
        folders, packed = kit
        sys.path.extend(folder for folder in folders if folder not in sys.path)
        arguments: dict[str, Any] = cloudpickle.loads(packed)
        super().__init__(**arguments, dumps=(cloudpickle.dumps,))


def _check_travellers(ray: Any, metrics: Sequence[Metric], judge: Judge) -> None:  # noqa: ANN401
    """See whether judge and metrics can be sent to another process, before the run begins.

    Raises:
        BadOption: one cannot.
    """
    for what, thing in ((f"The judge {judge.name}", judge), *((metric.spec, metric) for metric in metrics)):
        try:
            ray.cloudpickle.dumps(thing)
        except Exception as error:
            raise BadOption(
                f"{what} cannot be sent to Ray's workers: {error}. Give a judge or metric by its spec, such as "
                "openai:gpt-4o or package.module:Class, or one that pickle can copy; or use engine='local'."
            ) from error


def _packed(crew: _Crew, **more: object) -> Any:  # noqa: ANN401
    """Return all that a worker is made of, kept once in the cluster."""
    parts = {"metrics": tuple(crew.metrics), "judge": crew.judge, **more}
    return crew.ray.put((sys.path, crew.ray.cloudpickle.dumps(parts)))


def _in_short(error: Exception) -> str:
    """Return the first and the last line of what Ray says about a dead actor: what happened, and why."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
    return _COLOURS.sub("", " … ".join(dict.fromkeys((lines[0], lines[-1]))))
