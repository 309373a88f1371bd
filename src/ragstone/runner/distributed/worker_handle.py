"""One worker as the driver sees it: the channel to it, its tasks, and the calls and money it holds."""

import asyncio
from collections.abc import Iterator
from typing import Protocol

from ragstone.engine.budget import Budget, Reservation
from ragstone.errors import WorkerLost
from ragstone.event import JudgeCalled
from ragstone.judges.limits import JudgeLimits
from ragstone.runner.distributed.messages import Assignment, DriverResponse, pack
from ragstone.runner.tasks import Task

ResultKey = tuple[int, int]
"""Case index and metric index of a result."""


class WorkerChannel(Protocol):
    """The connection to a worker. Each method raises `WorkerLost` when the worker is gone."""

    async def begin(self) -> None:
        """Return once the worker is ready."""

    async def next_packet(self) -> bytes:
        """Return the worker's next messages, as soon as there are any."""
        ...

    def deliver(self, packet: bytes) -> None:
        """Send a packet; packets arrive in order."""

    def kill(self) -> None:
        """Stop the worker at once."""


class WorkerHandle:
    """A worker and its assignments.

    Attributes:
        channel: the connection to it.
        ready: whether it has started.
        useful: whether it has measured anything.
        alone: whether it measures only one test case, on which earlier workers were lost.
        tasks: its unfinished tasks by result key, in the order of assignment.
        calls: requests of the worker that are being served.
    """

    def __init__(self, channel: WorkerChannel) -> None:
        """Begin without tasks."""
        self.channel = channel
        self.ready = self.useful = self.alone = False
        self.tasks: dict[ResultKey, Task] = {}
        self.calls: set[asyncio.Task[None]] = set()
        self._answers: dict[int, list[JudgeCalled]] = {}
        self._admissions: list[int] = []
        self._reservations: list[Reservation] = []
        self._unsent: list[DriverResponse | Assignment] = []

    def send(self, message: DriverResponse | Assignment) -> None:
        """Send a message, in one packet with all that are sent in the same turn of the event loop."""
        if not self._unsent:
            asyncio.get_running_loop().call_soon(self._flush)
        self._unsent.append(message)

    def assign(self, tasks: list[Task], *, again: bool) -> None:
        """Assign metrics on one test case."""
        first = tasks[0]
        self.tasks |= {(task.case_index, task.metric_index): task for task in tasks}
        indices = tuple(task.metric_index for task in tasks)
        self.send(Assignment(first.case_index, first.case, indices, again))

    def done(self, key: ResultKey) -> Task | None:
        """Remove and return a finished task; None where it was not assigned."""
        task = self.tasks.pop(key, None)
        if not any(case_index == key[0] for case_index, _ in self.tasks):
            self._answers.pop(key[0], None)
        return task

    def remember(self, asked: JudgeCalled) -> None:
        """Keep an answer until its test case is finished, in case the worker is lost."""
        if asked.exchange is not None and asked.case_index >= 0:
            self._answers.setdefault(asked.case_index, []).append(asked)

    def answers(self) -> Iterator[tuple[str, str]]:
        """Yield key and stored reply of each answer about an unfinished test case."""
        for asked in (asked for several in self._answers.values() for asked in several):
            if asked.exchange is not None:
                yield asked.exchange.key, asked.exchange.written

    async def admit(self, limiter: JudgeLimits, tokens: int) -> None:
        """Wait until one of its calls may be made."""
        await limiter.admit(tokens)
        self._admissions.append(tokens)

    async def reserve(self, budget: Budget, price: float) -> Reservation:
        """Reserve money for one of its calls."""
        reserved = await budget.reserve(lambda: price)
        self._reservations.append(reserved)
        return reserved

    def release(self, limiter: JudgeLimits, reserved: int, tokens: int, calls: int, succeeded: bool) -> None:  # noqa: FBT001  (values of a message)
        """End a call of the worker."""
        self._admissions.remove(reserved)
        limiter.release(reserved=reserved, tokens=tokens, calls=calls, succeeded=succeeded)

    def settle(self, budget: Budget, reserved: Reservation, cost: float | None) -> None:
        """Settle the cost of a call."""
        self._reservations.remove(reserved)
        budget.settle(reserved, cost)

    def release_all(self, limiter: JudgeLimits, budget: Budget) -> None:
        """End the calls of a lost worker, at the tokens and cost that were reserved for them."""
        for call in self.calls:
            call.cancel()
        for tokens in self._admissions:
            limiter.release(reserved=tokens, tokens=tokens, succeeded=False)
        for reserved in self._reservations:
            budget.settle(reserved, reserved.amount)
        self._admissions, self._reservations = [], []

    def _flush(self) -> None:
        messages, self._unsent = self._unsent, []
        try:
            self.channel.deliver(pack(messages))
        except WorkerLost:  # `next_packet` raises it to the coordinator
            return
