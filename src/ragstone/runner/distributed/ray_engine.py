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
from ragstone.engine.budget import Budget
from ragstone.engine.scheduler import Flush, PromptScheduler
from ragstone.errors import BadOption, WorkerLost
from ragstone.event import EventListener
from ragstone.judges import Judge
from ragstone.judges.base import limits_of
from ragstone.judges.limits import Bounds
from ragstone.metrics import Metric
from ragstone.providers.batches.log import BatchLog
from ragstone.providers.http.transport import open_transport
from ragstone.run import Run
from ragstone.runner.distributed.coordinator import Coordinator, SharedServices
from ragstone.runner.distributed.ray_cluster import cluster, cores
from ragstone.runner.distributed.worker import Worker
from ragstone.runner.resume import NoResumeState, ResumeState
from ragstone.runner.session import RunSession, run_session
from ragstone.runner.tasks import Task, tasks

_COLOURS = re.compile("\x1b\\[[0-9;]*m")

_MOST_AT_ONCE = 100
"""Messages that a worker takes in at once."""


async def execute_on_ray(
    run: Run,
    rows: Iterable[TestCase | BadRow],
    metrics: Sequence[Metric],
    judge: Judge,
    emit: EventListener,
    *,
    total: int | None = None,
    resume_state: ResumeState | None = None,
    flush: Flush | None = None,
    batch_log: BatchLog | None = None,
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
        resume_state: likewise.
        flush: likewise.
        batch_log: must be None: workers on Ray cannot ask in batches.
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
    if batch_log is not None or run.plan.batch:
        raise BadOption("engine='ray' cannot ask in batches: leave batch out, or write engine='local'")
    past = resume_state or NoResumeState()
    size = checked_workers(workers)
    with cluster(address, size) as ray:
        _check_picklable(ray, metrics, judge)
        with run_session(run, emit, total) as session:
            work = tasks(rows, metrics, emit, past)
            first = next(work, None)
            if first is not None:
                pool = _WorkerPool(ray, metrics, judge, min(size or cores(ray), run.plan.concurrency))
                await _run_tasks(chain([first], work), session, pool, past, flush)


class _WorkerPool(NamedTuple):
    """Who works, and what each is made of."""

    ray: Any
    metrics: Sequence[Metric]
    judge: Judge
    size: int


async def _run_tasks(
    work: Iterator[Task], session: RunSession, pool: _WorkerPool, past: ResumeState, flush: Flush | None
) -> None:
    plan, limits = session.plan, limits_of(pool.judge)
    budget = Budget(plan.max_cost, spent=past.spent)
    scheduler = PromptScheduler(
        pool.judge,
        bounds=Bounds(concurrency=plan.concurrency, rpm=plan.rpm, tpm=plan.tpm),
        limits=limits,
        budget=budget,
        emit=session.emit,
        recall=past.recall,
        flush=flush,
    )
    bundle = _bundle(
        pool, plan=plan, counts_tokens=limits.counts_tokens, resumed=not isinstance(past, NoResumeState)
    )
    share = min(1.0, cores(pool.ray) / pool.size)
    services = SharedServices(scheduler, limits, budget, past, flush)
    async with open_transport(timeout=plan.timeout, on_overload=lambda told: limits.slow_down(told.told)):
        try:
            await Coordinator(
                session, services, work, lambda: _Actor(pool.ray, bundle, share), pool.size
            ).run()
        finally:
            await scheduler.close()


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

    def __init__(self, ray: Any, bundle: Any, cores: float) -> None:  # noqa: ANN401  (Ray is untyped)
        """Ask the cluster for a worker that takes so much of a core."""
        self._ray = ray
        options = {"num_cpus": cores, "max_restarts": 0, "max_concurrency": _MOST_AT_ONCE}
        self._handle = ray.remote(RayWorker).options(**options, scheduling_strategy="SPREAD").remote(bundle)

    async def begin(self) -> None:
        await self._of(self._handle.begin.remote())

    async def next_packet(self) -> bytes:
        return await self._of(self._handle.next_packet.remote())

    def deliver(self, packet: bytes) -> None:
        with suppress(self._ray.exceptions.RayError):
            self._handle.deliver.remote(packet)

    def kill(self) -> None:
        with suppress(self._ray.exceptions.RayError):
            self._ray.kill(self._handle)

    async def _of(self, coming: Any) -> Any:  # noqa: ANN401  (whatever the worker returns)
        try:
            return await coming
        except self._ray.exceptions.RayActorError as error:
            raise WorkerLost(_shortened(error)) from error


class RayWorker(Worker):
    """A worker as an actor: made anew from what was packed for it."""

    def __init__(self, bundle: tuple[list[str], bytes]) -> None:
        """Unpack; what the driver can import from folders that are here too, so can we."""
        from ray import cloudpickle as its_own  # noqa: PLC0415  (we are inside of Ray)

        cloudpickle: Any = its_own
        folders, packed = bundle
        sys.path.extend(folder for folder in folders if folder not in sys.path)
        arguments: dict[str, Any] = cloudpickle.loads(packed)
        super().__init__(**arguments, dumps=(cloudpickle.dumps,))


def _check_picklable(ray: Any, metrics: Sequence[Metric], judge: Judge) -> None:  # noqa: ANN401
    """See whether judge and metrics can be sent to another process, before the run begins.

    Raises:
        BadOption: one cannot.
    """
    for kind, thing in ((f"The judge {judge.name}", judge), *((metric.spec, metric) for metric in metrics)):
        try:
            ray.cloudpickle.dumps(thing)
        except Exception as error:
            raise BadOption(
                f"{kind} cannot be sent to Ray's workers: {error}. Give a judge or metric by its spec, such as "
                "openai:gpt-4o or package.module:Class, or one that pickle can copy; or use engine='local'."
            ) from error


def _bundle(pool: _WorkerPool, **more: object) -> Any:  # noqa: ANN401
    """Return all that a worker is made of, kept once in the cluster."""
    parts = {"metrics": tuple(pool.metrics), "judge": pool.judge, **more}
    return pool.ray.put((sys.path, pool.ray.cloudpickle.dumps(parts)))


def _shortened(error: Exception) -> str:
    """Return the first and the last line of what Ray says about a dead actor: what happened, and why."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
    return _COLOURS.sub("", " … ".join(dict.fromkeys((lines[0], lines[-1]))))
