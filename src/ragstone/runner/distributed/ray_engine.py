"""Execute a run on Ray: the same plan, events and store, with workers on as many machines as the cluster has.

Each worker is an actor with one judge and one connection pool. Rate limits, budget and store stay with the driver, see
`coordinator.py`. A Ray dataset may be the data, and is streamed. docs/adr/0014-ray.md says why this uses actors instead
of Ray Data's `map_batches`. Only this file and `ray_cluster.py` import Ray.
"""

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import partial
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
from ragstone.judges.limits import RateBounds
from ragstone.metrics import Metric
from ragstone.providers.batches.log import BatchLog
from ragstone.providers.http.key_reference import keys_by_value
from ragstone.providers.http.transport import open_transport
from ragstone.run import Run
from ragstone.runner.distributed.coordinator import Coordinator, SharedServices
from ragstone.runner.distributed.ray_cluster import cluster, cores
from ragstone.runner.distributed.worker import Worker
from ragstone.runner.resume import NEW_RUN, ResumeState
from ragstone.runner.session import RunSession, run_session
from ragstone.runner.tasks import Task, tasks
from ragstone.vendor_telemetry import disable_vendor_telemetry

_COLOUR_CODES = re.compile("\x1b\\[[0-9;]*m")

_MAX_CONCURRENT_MESSAGES = 100  # messages that a worker handles at once


async def execute_on_ray(
    run: Run,
    rows: Iterable[TestCase | BadRow],
    metrics: Sequence[Metric],
    judge: Judge,
    emit: EventListener,
    *,
    total: int | None = None,
    resume_state: ResumeState = NEW_RUN,
    flush: Flush | None = None,
    batch_log: BatchLog | None = None,
    address: str | None = None,
    workers: int | None = None,
    send_keys: bool = False,
) -> None:
    """Measure every metric on every test case, as `execute` does, on a Ray cluster.

    The rows are read here, and assigned as workers become free; each worker gets a copy of the judge. The classes of
    the metrics must be importable on the workers, or defined in the program itself. Workers cannot ask in batches.

    `address` is the cluster to join, `auto` for one on this machine; where None the one named by RAY_ADDRESS, else one
    that is started for this run. A program that is connected already keeps its cluster. `workers` is their number, None
    for one per core; never more than calls may be in flight. With `send_keys` keys in the environment are sent;
    otherwise the workers read them in theirs.

    Raises:
        MissingExtra: Ray is not installed.
        BadOption: the judge or a metric cannot be sent to another process.
        UsageError: there is no cluster at `address`.
        WorkerLost: workers die before they have measured anything.
        StoreError: a listener cannot store an event.
    """
    if batch_log is not None or run.plan.batch:
        raise BadOption("engine='ray' does not support batches: leave batch out, or write engine='local'")
    with cluster(address, workers) as ray:
        _check_picklable(ray, metrics, judge)
        with run_session(run, emit, total, resume_state) as session:
            work = tasks(rows, metrics, emit, resume_state)
            first = next(work, None)
            if first is not None:
                size = min(workers or cores(ray), run.plan.concurrency)
                pool = _WorkerPool(ray, metrics, judge, size, keys_by_value if send_keys else nullcontext)
                await _run_tasks(chain([first], work), session, pool, flush)


class _WorkerPool(NamedTuple):
    """The number of workers, what each needs, and whether keys are sent."""

    ray: Any
    metrics: Sequence[Metric]
    judge: Judge
    size: int
    keys: Callable[[], AbstractContextManager[None]]


async def _run_tasks(
    work: Iterator[Task], session: RunSession, pool: _WorkerPool, flush: Flush | None
) -> None:
    plan, past, limits = session.plan, session.past, limits_of(pool.judge)
    budget = Budget(plan.budget, spent=past.spent)
    scheduler = PromptScheduler(
        pool.judge,
        bounds=RateBounds(concurrency=plan.concurrency, rpm=plan.rpm, tpm=plan.tpm),
        limits=limits,
        budget=budget,
        emit=session.emit,
        recall=past.recall,
        flush=flush,
    )
    resumed = past is not NEW_RUN
    bundle = _put_arguments(pool, plan=plan, counts_tokens=limits.counts_tokens, resumed=resumed)
    cores_per_worker = min(1.0, cores(pool.ray) / pool.size)
    services = SharedServices(scheduler, limits, budget, flush)
    spawn = partial(_Actor, pool.ray, bundle, cores_per_worker)
    async with open_transport(
        timeout=plan.timeout, on_overload=lambda overload: limits.slow_down(overload.retry_after)
    ):
        try:
            await Coordinator(session, services, work, spawn, pool.size).run()
        finally:
            await scheduler.close()


class _Actor:
    def __init__(self, ray: Any, bundle: Any, cores: float) -> None:  # noqa: ANN401  (Ray is untyped)
        """Start an actor that takes that share of a core."""
        self._ray = ray
        options = {"num_cpus": cores, "max_restarts": 0, "max_concurrency": _MAX_CONCURRENT_MESSAGES}
        self._handle = ray.remote(RayWorker).options(**options, scheduling_strategy="SPREAD").remote(bundle)

    async def begin(self) -> None:
        """Start the worker's tasks; return once it is ready for work."""
        await self._await_reply(self._handle.begin.remote())

    async def next_packet(self) -> bytes:
        """Return the next packet of messages from the worker, as soon as there is one."""
        return await self._await_reply(self._handle.next_packet.remote())

    def deliver(self, packet: bytes) -> None:
        """Send a packet of messages to the worker; one that died is noticed by `next_packet`."""
        with suppress(self._ray.exceptions.RayError):
            self._handle.deliver.remote(packet)

    def kill(self) -> None:
        """End the worker at once."""
        with suppress(self._ray.exceptions.RayError):
            self._ray.kill(self._handle)

    async def _await_reply(self, pending: Any) -> Any:  # noqa: ANN401  (depends on the method)
        try:
            return await pending
        except self._ray.exceptions.RayActorError as error:
            raise WorkerLost(_shortened(error)) from error


class RayWorker(Worker):
    """A worker in a Ray actor."""

    def __init__(self, bundle: tuple[list[str], bytes]) -> None:
        """Unpickle the arguments, with the driver's import path."""
        from ray import cloudpickle as untyped  # noqa: PLC0415  (runs inside Ray)

        disable_vendor_telemetry()
        cloudpickle: Any = untyped
        folders, packed = bundle
        sys.path.extend(folder for folder in folders if folder not in sys.path)
        arguments: dict[str, Any] = cloudpickle.loads(packed)
        super().__init__(**arguments, dumps=(cloudpickle.dumps,))


def _check_picklable(ray: Any, metrics: Sequence[Metric], judge: Judge) -> None:  # noqa: ANN401
    """Raise BadOption if the judge or a metric cannot be sent to another process."""
    for label, value in ((f"The judge {judge.name}", judge), *((metric.spec, metric) for metric in metrics)):
        try:
            ray.cloudpickle.dumps(value)
        except Exception as error:
            raise BadOption(
                f"{label} cannot be sent to Ray's workers: {error}. Give a judge or metric by its spec, such as "
                "openai:gpt-4o or package.module:Class, or one that can be pickled; or use engine='local'."
            ) from error


def _put_arguments(pool: _WorkerPool, **others: object) -> Any:  # noqa: ANN401
    arguments = {"metrics": tuple(pool.metrics), "judge": pool.judge, **others}
    with pool.keys():
        return pool.ray.put((sys.path, pool.ray.cloudpickle.dumps(arguments)))


def _shortened(error: Exception) -> str:
    """Return the first and the last line of Ray's message about a dead actor, which hold the event and its cause."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
    return _COLOUR_CODES.sub("", " … ".join(dict.fromkeys((lines[0], lines[-1]))))
