"""One worker as the driver sees it: the way to it, what it has to do, and what it holds of what belongs to all."""

import asyncio
from collections.abc import Iterator
from typing import Protocol

from ragstone.errors import WorkerLost
from ragstone.event import Asked
from ragstone.judges._desk import Gate, Purse
from ragstone.runner._messages import Reply, Work, pack
from ragstone.runner._work import Task

Place = tuple[int, int]
"""Of a result: case index and metric index."""


class Post(Protocol):
    """The way to a worker. Each method raises `WorkerLost` where there is none any more."""

    async def begin(self) -> None:
        """Return once it is ready for work."""
        ...

    async def tell(self) -> bytes:
        """Return what it has to tell, as soon as there is something."""
        ...

    def take(self, packet: bytes) -> None:
        """Send it a packet; packets arrive in order."""
        ...

    def dismiss(self) -> None:
        """Let it go, now."""
        ...


class Hand:
    """A worker, and what it was given.

    Attributes:
        post: the way to it.
        ready: whether it has begun.
        useful: whether it has measured anything.
        alone: whether it works on one test case alone, over which workers were lost.
        tasks: what it has not measured yet, by place, in the order in which it was given.
        calls: what it waits for, and what is being settled for it.
    """

    def __init__(self, post: Post) -> None:
        """Begin with nothing to do."""
        self.post = post
        self.ready = self.useful = self.alone = False
        self.tasks: dict[Place, Task] = {}
        self.calls: set[asyncio.Task[None]] = set()
        self._answers: dict[int, list[Asked]] = {}
        self._leaves: list[int] = []
        self._money: list[float] = []
        self._outbox: list[Reply | Work] = []

    def send(self, message: Reply | Work) -> None:
        """Send a message, together with all that are sent in the same breath."""
        if not self._outbox:
            asyncio.get_running_loop().call_soon(self._flush)
        self._outbox.append(message)

    def give(self, tasks: list[Task], *, again: bool) -> None:
        """Give it some metrics to measure on one test case."""
        first = tasks[0]
        self.tasks |= {(task.case_index, task.metric_index): task for task in tasks}
        indices = tuple(task.metric_index for task in tasks)
        self.send(Work(first.case_index, first.case, indices, again))

    def done(self, place: Place) -> Task | None:
        """Strike out a task; None where it has none such."""
        task = self.tasks.pop(place, None)
        if not any(case_index == place[0] for case_index, _ in self.tasks):
            self._answers.pop(place[0], None)
        return task

    def remember(self, asked: Asked) -> None:
        """Keep an answer until the test case that it is about is done with."""
        if asked.exchange is not None and asked.case_index >= 0:
            self._answers.setdefault(asked.case_index, []).append(asked)

    def answers(self) -> Iterator[tuple[str, str]]:
        """Yield key and written reply of each answer about a test case that it is not done with."""
        for asked in (asked for several in self._answers.values() for asked in several):
            if asked.exchange is not None:
                yield asked.exchange.key, asked.exchange.written

    async def admit(self, gate: Gate, tokens: int) -> None:
        """Wait for leave for one of its calls."""
        await gate.admit(tokens)
        self._leaves.append(tokens)

    async def reserve(self, purse: Purse, price: float) -> float:
        """Wait for money for one of its calls.

        Raises:
            BudgetSpent: there is none.
        """
        reserved = await purse.reserve(lambda: price)
        self._money.append(reserved)
        return reserved

    def release(self, gate: Gate, reserved: int, tokens: int, calls: int, well: bool) -> None:  # noqa: FBT001  (as it was told)
        """End a call."""
        self._leaves.remove(reserved)
        gate.release(reserved=reserved, tokens=tokens, calls=calls, well=well)

    def settle(self, purse: Purse, reserved: float, cost: float | None) -> None:
        """Pay for a call."""
        self._money.remove(reserved)
        purse.settle(reserved, cost)

    def give_back(self, gate: Gate, purse: Purse) -> None:
        """End the calls that it will not end itself, as if they had cost what they were likely to."""
        for call in self.calls:
            call.cancel()
        for tokens in self._leaves:
            gate.release(reserved=tokens, tokens=tokens, well=False)
        for reserved in self._money:
            purse.settle(reserved, reserved)
        self._leaves, self._money = [], []

    def _flush(self) -> None:
        messages, self._outbox = self._outbox, []
        try:
            self.post.take(pack(messages))
        except WorkerLost:  # `tell` says so too, to one who listens
            return
