"""One worker as the driver sees it: the way to it, what it has to do, and what it holds of what belongs to all."""

import asyncio
from collections.abc import Iterator
from typing import Protocol

from ragstone.engine.scheduler import CostBudget, RateLimiter
from ragstone.errors import WorkerLost
from ragstone.event import JudgeCalled
from ragstone.runner.distributed.messages import Assignment, DriverResponse, pack
from ragstone.runner.tasks import Task

ResultKey = tuple[int, int]
"""Of a result: case index and metric index."""


class WorkerChannel(Protocol):
    """The way to a worker. Each method raises `WorkerLost` where there is none any more."""

    async def begin(self) -> None:
        """Return once it is ready for work."""
        ...

    async def next_packet(self) -> bytes:
        """Return what it has to tell, as soon as there is something."""
        ...

    def deliver(self, packet: bytes) -> None:
        """Send it a packet; packets arrive in order."""
        ...

    def kill(self) -> None:
        """Let it go, now."""
        ...


class WorkerHandle:
    """A worker, and what it was given.

    Attributes:
        post: the way to it.
        ready: whether it has begun.
        useful: whether it has measured anything.
        alone: whether it works on one test case alone, over which workers were lost.
        tasks: what it has not measured yet, by place, in the order in which it was given.
        calls: what it waits for, and what is being settled for it.
    """

    def __init__(self, channel: WorkerChannel) -> None:
        """Begin with nothing to do."""
        self.channel = channel
        self.ready = self.useful = self.alone = False
        self.tasks: dict[ResultKey, Task] = {}
        self.calls: set[asyncio.Task[None]] = set()
        self._answers: dict[int, list[JudgeCalled]] = {}
        self._admissions: list[int] = []
        self._reservations: list[float] = []
        self._outbox: list[DriverResponse | Assignment] = []

    def send(self, message: DriverResponse | Assignment) -> None:
        """Send a message, together with all that are sent in the same breath."""
        if not self._outbox:
            asyncio.get_running_loop().call_soon(self._flush)
        self._outbox.append(message)

    def assign(self, tasks: list[Task], *, again: bool) -> None:
        """Give it some metrics to measure on one test case."""
        first = tasks[0]
        self.tasks |= {(task.case_index, task.metric_index): task for task in tasks}
        indices = tuple(task.metric_index for task in tasks)
        self.send(Assignment(first.case_index, first.case, indices, again))

    def done(self, key: ResultKey) -> Task | None:
        """Strike out a task; None where it has none such."""
        task = self.tasks.pop(key, None)
        if not any(case_index == key[0] for case_index, _ in self.tasks):
            self._answers.pop(key[0], None)
        return task

    def remember(self, asked: JudgeCalled) -> None:
        """Keep an answer until the test case that it is about is done with."""
        if asked.exchange is not None and asked.case_index >= 0:
            self._answers.setdefault(asked.case_index, []).append(asked)

    def answers(self) -> Iterator[tuple[str, str]]:
        """Yield key and written reply of each answer about a test case that it is not done with."""
        for asked in (asked for several in self._answers.values() for asked in several):
            if asked.exchange is not None:
                yield asked.exchange.key, asked.exchange.written

    async def admit(self, limiter: RateLimiter, tokens: int) -> None:
        """Wait for leave for one of its calls."""
        await limiter.admit(tokens)
        self._admissions.append(tokens)

    async def reserve(self, budget: CostBudget, price: float) -> float:
        """Wait for money for one of its calls.

        Raises:
            BudgetExceeded: there is none.
        """
        reserved = await budget.reserve(lambda: price)
        self._reservations.append(reserved)
        return reserved

    def release(self, limiter: RateLimiter, reserved: int, tokens: int, calls: int, succeeded: bool) -> None:  # noqa: FBT001  (as it was told)
        """End a call."""
        self._admissions.remove(reserved)
        limiter.release(reserved=reserved, tokens=tokens, calls=calls, succeeded=succeeded)

    def settle(self, budget: CostBudget, reserved: float, cost: float | None) -> None:
        """Pay for a call."""
        self._reservations.remove(reserved)
        budget.settle(reserved, cost)

    def release_all(self, limiter: RateLimiter, budget: CostBudget) -> None:
        """End the calls that it will not end itself, as if they had cost what they were likely to."""
        for call in self.calls:
            call.cancel()
        for tokens in self._admissions:
            limiter.release(reserved=tokens, tokens=tokens, succeeded=False)
        for reserved in self._reservations:
            budget.settle(reserved, reserved)
        self._admissions, self._reservations = [], []

    def _flush(self) -> None:
        messages, self._outbox = self._outbox, []
        try:
            self.channel.deliver(pack(messages))
        except WorkerLost:  # `next_packet` says so too, to one who listens
            return
