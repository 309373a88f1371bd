"""The worker pool of a run: processes that answer its prompts to the embedded judge, started if the work is worth it.

A prompt is the unit of work: statements with their evidence. Its answer depends on the prompt alone, so that any
process can give it. Prompts on the same passages go to one process, which analyses them once; another process takes
them if it is idle. Each process has one prompt in work and one queued, so that it never waits for the run.

A run first answers in its own process. After `WORTH` seconds of such work, the workers are started: a run that ends
earlier has no cost, and one that ends right after has lost no time, since it continues while they start.
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
from ragstone.judges.local.workers.pending import PendingAnswer
from ragstone.judges.local.workers.process import WorkerProcess
from ragstone.prompts.base.answer import Answer
from ragstone.prompts.base.prompt import Prompt

WORTH = 1.0
"""Seconds of work after which workers are started: about the time that starting one takes."""
_IN_FLIGHT = 2
_LOOK_AHEAD = 32
"""Number of waiting prompts that are searched for one on passages that a process has analysed."""
_ASSIGNED = 256
"""Sets of passages for which the pool remembers the process that analysed them: more than are in use at once."""
_LOSSES = 3
"""Number of processes that end at work on one prompt until it fails, or that end idle until no more are started."""
_PROMPTS = "ragstone.prompts."


class WorkersUnavailable(Exception):  # noqa: N818
    """No worker could be started: the run answers in its own process."""


class WorkerPool:
    """Processes that answer prompts; bound to one run and its event loop."""

    def __init__(self, size: int) -> None:
        """Create a pool of up to `size` processes; none is started yet."""
        self._size = size
        self._spent = 0.0
        self._waiting: deque[PendingAnswer] = deque()
        self._workers: list[WorkerProcess] = []
        """The processes that are ready."""
        self._assigned: OrderedDict[int, WorkerProcess] = OrderedDict()
        """For each evidence, the process that had it first."""
        self._tasks: list[asyncio.Task[None]] = []
        self._loop = asyncio.get_running_loop()
        self._open = True

    def takes(self, prompt: Prompt[Any]) -> bool:
        """Return whether the pool answers a prompt. It never answers prompts of user-defined classes."""
        return (
            bool(self._workers or self._waiting)
            and type(prompt).__module__.startswith(_PROMPTS)
            and asyncio.get_running_loop() is self._loop
        )

    def spent(self, seconds: float) -> None:
        """Add seconds of work that the run did in its own process; start the workers when the sum reaches `WORTH`."""
        self._spent += seconds
        if self._spent >= WORTH and not self._tasks and self._open:
            self._tasks = [asyncio.create_task(self._keep_running()) for _ in range(self._size)]

    async def answer(self, prompt: Prompt[Any]) -> Answer:
        """Return the answer to a prompt.

        Raises:
            WorkersUnavailable: the last worker has ended, and no new one can be started.
            WorkerLost: several workers ended while they worked on the prompt.
        """
        pending = PendingAnswer.of(prompt)
        self._waiting.append(pending)
        self._dispatch()
        try:
            return await pending.answer
        except asyncio.CancelledError:
            self._withdraw(pending)
            raise

    async def aclose(self) -> None:
        """End every process, even if the run is cancelled meanwhile, since this takes a moment."""
        self._open = False
        with CancelScope(shield=True):
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _keep_running(self) -> None:
        """Keep one process running; start another one when it ends, unless processes end repeatedly without work."""
        ended_idle = 0
        with suppress(OSError, EOFError):
            while ended_idle < _LOSSES:
                worker = await WorkerProcess.launch()
                try:
                    await self._receive(worker)
                finally:
                    self._remove(worker)
                    ending = await worker.close()
                ended_idle += not worker.in_flight
                self._take_back(worker, ending)
        if len([task for task in self._tasks if not task.done()]) == 1:
            self._give_up()

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
        """Remove a process that has ended, or that never was ready."""
        with suppress(ValueError):
            self._workers.remove(worker)
        for evidence in [one for one, process in self._assigned.items() if process is worker]:
            del self._assigned[evidence]

    def _dispatch(self) -> None:
        """Send waiting prompts to the processes that have room, idle processes first."""
        while self._waiting:
            free = sorted(self._workers, key=lambda worker: len(worker.in_flight))
            if not any(self._send_next(worker) for worker in free if len(worker.in_flight) < _IN_FLIGHT):
                return

    def _send_next(self, worker: WorkerProcess) -> bool:
        """Send a process its next prompt; return False if there is none."""
        place = self._next_for(worker)
        if place is None:
            return False
        pending = self._waiting[place]
        del self._waiting[place]
        if pending.evidence:
            self._assigned.setdefault(pending.evidence, worker)
            self._assigned.move_to_end(pending.evidence)
            if len(self._assigned) > _ASSIGNED:
                self._assigned.popitem(last=False)
        worker.send(pending)
        return True

    def _next_for(self, worker: WorkerProcess) -> int | None:
        """Return the index of the oldest prompt on evidence that a process has, else of the oldest that no other has.

        An idle process takes any prompt; for a busy one, return None if only prompts of other processes wait.
        """
        owners = [
            self._assigned.get(self._waiting[place].evidence)
            for place in range(min(_LOOK_AHEAD, len(self._waiting)))
        ]
        for wanted in (worker, None):
            if wanted in owners:
                return owners.index(wanted)
        return None if worker.in_flight else 0

    def _take_back(self, worker: WorkerProcess, ending: str) -> None:
        """Requeue the prompts of an ended process; a prompt fails if `_LOSSES` processes ended while working on it."""
        for place, pending in enumerate(reversed(worker.in_flight), 1):
            if pending.answer.done():
                continue
            if place == len(worker.in_flight):
                pending.lost += 1
            if pending.lost < _LOSSES:
                self._waiting.appendleft(pending)
                continue
            pending.settle(
                WorkerLost(
                    f"{_LOSSES} processes ended while they answered {pending.kind} (the last: {ending}): use "
                    "--workers 1 to answer in the run's own process, and check that there is enough memory"
                )
            )
        worker.in_flight.clear()
        self._dispatch()

    def _withdraw(self, pending: PendingAnswer) -> None:
        """Drop a cancelled prompt; a process that works on it is ended and replaced."""
        with suppress(ValueError):
            self._waiting.remove(pending)
        for worker in self._workers:
            if worker.in_flight and worker.in_flight[0] is pending:
                worker.kill()

    def _give_up(self) -> None:
        while self._waiting:
            self._waiting.popleft().settle(WorkersUnavailable())


_CURRENT: ContextVar[WorkerPool | None] = ContextVar("ragstone_workers", default=None)


@asynccontextmanager
async def open_workers(count: int | None, *, at_most: int) -> AsyncGenerator[None]:
    """Let the embedded judge use several processes inside the block; they are started if the work is worth it.

    Args:
        count: number of processes; None for one for each core.
        at_most: prompts in flight at once; more processes than that would have no work.
    """
    size = min(usable_cores() if count is None else count, at_most)
    if size < 2 or not _can_start():  # noqa: PLR2004  (one more process is no gain)
        yield
        return
    pool = WorkerPool(size)
    token = _CURRENT.set(pool)
    try:
        yield
    finally:
        _CURRENT.reset(token)
        await pool.aclose()


def current_workers() -> WorkerPool | None:
    """Return the worker pool of the current run; None if it has none."""
    return _CURRENT.get()


def usable_cores() -> int:
    """Return the number of cores that this process may use, at least 1."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


def _can_start() -> bool:
    """Return whether `sys.executable` is a Python interpreter: in a frozen program it is that program."""
    return bool(sys.executable) and not getattr(sys, "frozen", False)
