"""The worker pool of a run: processes that answer its prompts to the embedded judge, started only for longer runs.

A prompt is the unit of work: statements with their evidence. Its answer depends on the prompt alone, so that any
process can compute it. Prompts on the same passages go to one process, which analyses the passages once; another
process takes them if it is idle. Each process works on one prompt and has one queued, so that it never waits for the
run.

A run first answers in its own process. After `START_AFTER_SECONDS` of such work, the workers start: a run that ends
earlier has no extra cost, and one that ends right after has lost no time, since it continues while they start.
"""

import asyncio
import os
import sys
from collections import OrderedDict, deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from contextvars import ContextVar
from typing import Any

from anyio import CancelScope

from ragstone.errors import WorkerLost
from ragstone.judges.local.workers.process import PendingAnswer, WorkerProcess
from ragstone.prompts.base.answer import Answer
from ragstone.prompts.base.prompt import Prompt

START_AFTER_SECONDS = 1.0
"""Seconds of work after which workers are started: about as long as starting one takes."""
_MAX_IN_FLIGHT = 2
_LOOK_AHEAD = 32
"""Number of waiting prompts that are searched for one whose passages a process has analysed."""
_MAX_ASSIGNED = 256
"""Maximum number of sets of passages whose process is stored: more than are in use at once."""
_MAX_LOSSES = 3
"""After this many processes ended while working on a prompt, it fails; after this many ended idle, none is started."""
_PROMPT_MODULES = "ragstone.prompts."


class WorkersUnavailable(Exception):  # noqa: N818
    """No worker could be started: the run answers in its own process."""


class WorkerPool:
    """Processes that answer prompts; bound to one run and its event loop."""

    def __init__(self, size: int, *, always: bool = False) -> None:
        """Create a pool of up to `size` processes; none is started yet.

        With `always` they start with the first prompt and answer every prompt, one at a time. So a prompt that is
        cancelled ends its process at once and delays no other.
        """
        self._size = size
        self._always = always
        self._max_in_flight = 1 if always else _MAX_IN_FLIGHT
        self._seconds_of_work = 0.0
        self._waiting: deque[PendingAnswer] = deque()
        self._unclosed: list[WorkerProcess] = []
        self._workers: list[WorkerProcess] = []
        """The ready processes."""
        self._worker_by_evidence: OrderedDict[int, WorkerProcess] = OrderedDict()
        """The first process that received each evidence, by the evidence's hash."""
        self._tasks: list[asyncio.Task[None]] = []
        self._loop = asyncio.get_running_loop()
        self._open = True

    def accepts(self, prompt: Prompt[Any]) -> bool:
        """Return whether the pool answers a prompt. It never answers prompts of user-defined classes."""
        may_start = self._always and (not self._tasks or any(not task.done() for task in self._tasks))
        return (
            bool(self._workers or self._waiting or may_start)
            and type(prompt).__module__.startswith(_PROMPT_MODULES)
            and asyncio.get_running_loop() is self._loop
        )

    def add_work(self, seconds: float) -> None:
        """Add seconds of work that the run did in its own process, and start the workers if the sum is large enough."""
        self._seconds_of_work += seconds
        if self._seconds_of_work >= START_AFTER_SECONDS and not self._tasks and self._open:
            self._tasks = [asyncio.create_task(self._keep_running()) for _ in range(self._size)]

    async def answer(self, prompt: Prompt[Any]) -> Answer:
        """Return the answer to a prompt.

        Raises:
            WorkersUnavailable: the last worker has ended, and no new one can be started.
            WorkerLost: several workers ended while they worked on the prompt.
        """
        if self._always:
            self.add_work(START_AFTER_SECONDS)
        pending = PendingAnswer.of(prompt)
        self._waiting.append(pending)
        self._dispatch()
        try:
            return await pending.answer
        except asyncio.CancelledError:
            self._withdraw(pending)
            raise

    async def aclose(self) -> None:
        """End all processes. This takes a moment and is completed even if the run is cancelled meanwhile."""
        self._open = False
        with CancelScope(shield=True):
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            for worker in self._unclosed:  # the cancellation came while its task was closing it
                await worker.close()

    async def _keep_running(self) -> None:
        """Keep one process running; start another when it ends, unless processes end repeatedly while idle."""
        ended_idle = 0
        with suppress(OSError, EOFError):
            while ended_idle < _MAX_LOSSES:
                worker = await WorkerProcess.launch()
                self._unclosed.append(worker)
                try:
                    await self._receive(worker)
                finally:
                    self._remove(worker)
                    exit_reason = await worker.close()
                    self._unclosed.remove(worker)
                ended_idle += not worker.in_flight
                self._requeue(worker, exit_reason)
        if len([task for task in self._tasks if not task.done()]) == 1:  # this one, the last
            while self._waiting:
                self._waiting.popleft().settle(WorkersUnavailable())

    async def _receive(self, worker: WorkerProcess) -> None:
        """Send prompts to a process and pass on its replies, until it ends."""
        self._workers.append(worker)
        self._dispatch()
        with suppress(EOFError):
            while True:
                reply = await worker.receive()
                worker.in_flight.popleft().settle(reply)
                self._dispatch()

    def _remove(self, worker: WorkerProcess) -> None:
        with suppress(ValueError):
            self._workers.remove(worker)
        for evidence in [key for key, assigned in self._worker_by_evidence.items() if assigned is worker]:
            del self._worker_by_evidence[evidence]

    def _dispatch(self) -> None:
        """Send waiting prompts to the processes that can take more, idle processes first."""
        while self._waiting:
            by_load = sorted(self._workers, key=lambda worker: len(worker.in_flight))
            free = (worker for worker in by_load if len(worker.in_flight) < self._max_in_flight)
            if not any(map(self._send_next, free)):
                return

    def _send_next(self, worker: WorkerProcess) -> bool:
        index = self._next_index(worker)
        if index is None:
            return False
        pending = self._waiting[index]
        del self._waiting[index]
        if pending.evidence_hash:
            self._worker_by_evidence.setdefault(pending.evidence_hash, worker)
            self._worker_by_evidence.move_to_end(pending.evidence_hash)
            if len(self._worker_by_evidence) > _MAX_ASSIGNED:
                self._worker_by_evidence.popitem(last=False)
        worker.send(pending)
        return True

    def _next_index(self, worker: WorkerProcess) -> int | None:
        """Return the index of the oldest prompt whose evidence is assigned to the process, else of an unassigned one.

        An idle process takes any prompt; for a busy one, return None if only prompts of other processes wait.
        """
        assigned_workers = [
            self._worker_by_evidence.get(self._waiting[index].evidence_hash)
            for index in range(min(_LOOK_AHEAD, len(self._waiting)))
        ]
        for owner in (worker, None):
            if owner in assigned_workers:
                return assigned_workers.index(owner)
        return None if worker.in_flight else 0

    def _requeue(self, worker: WorkerProcess, exit_reason: str) -> None:
        """Requeue the prompts of an ended process; a prompt fails after `_MAX_LOSSES` processes ended at work on it."""
        for position, pending in enumerate(reversed(worker.in_flight), 1):
            if pending.answer.done():
                continue
            if position == len(worker.in_flight):
                pending.lost_workers += 1
            if pending.lost_workers < _MAX_LOSSES:
                self._waiting.appendleft(pending)
                continue
            problem = (
                f"{_MAX_LOSSES} processes ended while they answered {pending.prompt_class} (the last: {exit_reason}): "
                "use --workers 1 to answer in the run's own process, and check that there is enough memory"
            )
            pending.settle(WorkerLost(problem))
        worker.in_flight.clear()
        self._dispatch()

    def _withdraw(self, pending: PendingAnswer) -> None:
        """Drop a cancelled prompt; a process that works on it is ended and replaced."""
        with suppress(ValueError):
            self._waiting.remove(pending)
        for worker in self._workers:
            if worker.in_flight and worker.in_flight[0] is pending:
                worker.kill()


_CURRENT_POOL: ContextVar[WorkerPool | None] = ContextVar("ragstone_workers", default=None)


@asynccontextmanager
async def open_workers(count: int | None, *, at_most: int) -> AsyncGenerator[None]:
    """Let the embedded judge use several processes inside the block; they are started only for longer runs.

    `count` None means one per core; more than `at_most`, the most prompts in flight, would have no work.
    """
    size = min(usable_cores() if count is None else count, at_most)
    async with _open_pool(WorkerPool(size) if size > 1 else None):  # a single process has no benefit
        yield


@asynccontextmanager
async def open_replaceable_workers(count: int) -> AsyncGenerator[None]:
    """Let the embedded judge answer in processes inside the block, so that a cancelled answer takes no more time."""
    async with _open_pool(WorkerPool(count, always=True)):
        yield


@asynccontextmanager
async def _open_pool(pool: WorkerPool | None) -> AsyncGenerator[None]:
    # In a frozen program `sys.executable` is the program itself, not a Python interpreter.
    if pool is None or not sys.executable or getattr(sys, "frozen", False):
        yield
        return
    token = _CURRENT_POOL.set(pool)
    try:
        yield
    finally:
        _CURRENT_POOL.reset(token)
        await pool.aclose()


def current_workers() -> WorkerPool | None:
    """Return the worker pool of the current run; None if it has none."""
    return _CURRENT_POOL.get()


def usable_cores() -> int:
    """Return the number of cores that this process may use, at least 1."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1
