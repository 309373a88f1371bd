"""The workers of a run: processes that answer its prompts to the embedded judge, started once the work is worth them.

A prompt is the unit of work: statements with their evidence. Its answer depends on it alone, so that it does not matter
which process gives it. Prompts on the same passages go to the process that had them last, where one waits; it has
analysed them already. Each process has one prompt to work on and one more, so that it never waits for the run.

A run first answers in its own process. After `WORTH` seconds of that, the workers are started: a run that ends before
has paid nothing, and one that ends right after has lost no time, since it goes on while they start.
"""

import asyncio
import os
import sys
from collections import deque
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
"""Seconds of work after which workers are started: about what it takes to start one."""
_IN_FLIGHT = 2
_LOOK_AHEAD = 32
"""Waiting prompts that are looked through for one on the passages that a process had last."""
_LOSSES = 3
"""Processes that may end while they work on one prompt, which then has no answer, or while they have nothing to do."""
_PROMPTS = "ragstone.prompts."


class WorkersUnavailable(Exception):  # noqa: N818
    """No worker could be started: the run answers by itself."""


class WorkerPool:
    """Processes that answer prompts; bound to one run and its event loop."""

    def __init__(self, size: int) -> None:
        """Have up to `size` processes, none of them yet."""
        self._size = size
        self._spent = 0.0
        self._waiting: deque[PendingAnswer] = deque()
        self._workers: dict[WorkerProcess, int] = {}
        """Those that are ready, each with the evidence that it had last."""
        self._tasks: list[asyncio.Task[None]] = []
        self._loop = asyncio.get_running_loop()
        self._open = True

    def takes(self, prompt: Prompt[Any]) -> bool:
        """Return whether a prompt is to be answered here. Those of a user's own class never are."""
        return (
            bool(self._workers or self._waiting)
            and type(prompt).__module__.startswith(_PROMPTS)
            and asyncio.get_running_loop() is self._loop
        )

    def spent(self, seconds: float) -> None:
        """Count work that the run did in its own process; start the workers when it is enough."""
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
        """End every process, also when the run is cancelled meanwhile: it takes a moment."""
        self._open = False
        with CancelScope(shield=True):
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _keep_running(self) -> None:
        """Have one process answer; start another one when it ends, unless it ends again and again without work."""
        ended_idle = 0
        with suppress(OSError, EOFError):
            while ended_idle < _LOSSES:
                worker = await WorkerProcess.launch()
                try:
                    await self._receive(worker)
                finally:
                    self._workers.pop(worker, None)
                    ending = await worker.close()
                ended_idle += not worker.in_flight
                self._take_back(worker, ending)
        if len([task for task in self._tasks if not task.done()]) == 1:
            self._give_up()

    async def _receive(self, worker: WorkerProcess) -> None:
        """Give a process work and pass on its replies, until it ends."""
        self._workers[worker] = 0
        self._dispatch()
        with suppress(EOFError):
            while True:
                reply = await worker.receive()
                worker.in_flight.popleft().settle(reply)
                self._dispatch()

    def _dispatch(self) -> None:
        """Send what waits to the processes that have room, those that have nothing to do first."""
        while self._waiting and self._workers:
            worker = min(self._workers, key=lambda one: len(one.in_flight))
            if len(worker.in_flight) >= _IN_FLIGHT:
                return
            pending = self._next_for(worker)
            self._workers[worker] = pending.evidence or self._workers[worker]
            worker.send(pending)

    def _next_for(self, worker: WorkerProcess) -> PendingAnswer:
        """Take the oldest prompt on the evidence that a process had last, else the oldest on none that another had."""
        mine = self._workers[worker]
        others = {evidence for one, evidence in self._workers.items() if one is not worker}

        def rank(place: int) -> int:
            evidence = self._waiting[place].evidence
            return 1 if not evidence else 0 if evidence == mine else 2 if evidence in others else 1

        place = min(range(min(_LOOK_AHEAD, len(self._waiting))), key=rank)
        found = self._waiting[place]
        del self._waiting[place]
        return found

    def _take_back(self, worker: WorkerProcess, ending: str) -> None:
        """Let what an ended process had be answered by another one."""
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
                    f"{_LOSSES} processes ended while they answered {pending.kind} (the last: {ending}): write "
                    "--workers 1 to answer in the run's own process, and see whether there is enough memory"
                )
            )
        worker.in_flight.clear()
        self._dispatch()

    def _withdraw(self, pending: PendingAnswer) -> None:
        """Drop a prompt that nobody waits for any more; a process that works on it is ended, and replaced."""
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
    """Let the embedded judge use several processes inside of the block; they are started where the work is worth it.

    Args:
        count: how many; None for one for each core.
        at_most: prompts in flight at once: no more processes could have work.
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
    """Return the workers of the run that asks; None where it has none."""
    return _CURRENT.get()


def usable_cores() -> int:
    """Return how many cores this process may use, at least 1."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


def _can_start() -> bool:
    """Return whether `sys.executable` is a Python interpreter: in a frozen program it is that program."""
    return bool(sys.executable) and not getattr(sys, "frozen", False)
