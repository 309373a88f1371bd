"""A worker's end of the line to the driver of its run: what it takes for limits, budget and head office.

Nothing is decided here. Whoever asks for leave to make a call waits until the driver, which sees all workers, gives it.
"""

import asyncio
from itertools import count
from typing import Any, TypeVar

from ragstone.engine.scheduler import ScheduledReply
from ragstone.event import Event, JudgeCalled
from ragstone.judges.limits import Bounds
from ragstone.prompts import Answer, Prompt
from ragstone.result import Result
from ragstone.runner.distributed.messages import (
    DriverResponse,
    Dumps,
    WorkerEvent,
    WorkerRequest,
    pack,
    written,
)
from ragstone.runner.tasks import Task

A = TypeVar("A", bound=Answer)


class DriverClient:
    """The worker's end of the line to the driver: limits, budget and head office, as far as this process knows."""

    def __init__(self, *, counts_tokens: bool, most: float | None) -> None:
        """Begin silent; the arguments are those of the run's limits and budget."""
        self.counts_tokens = counts_tokens
        self.most = most
        self.waiting = asyncio.Event()
        self._messages: list[object] = []
        self._numbers = count()
        self._calls: dict[int, asyncio.Future[Any]] = {}

    def started(self, task: Task) -> None:
        """Tell that a measurement begins."""
        self._send(WorkerEvent("started", (task.case_index, task.metric_index)))

    def measured(self, task: Task, result: Result) -> None:
        """Tell how it ended."""
        self._send(WorkerEvent("measured", (task.case_index, task.metric_index, result)))

    def stopped(self, task: Task, why: str) -> None:
        """Tell that it was given up: the budget is spent."""
        self._send(WorkerEvent("stopped", (task.case_index, task.metric_index, why)))

    def emit(self, event: Event) -> None:
        """Tell what the desk has to tell."""
        if isinstance(event, JudgeCalled):
            self._send(WorkerEvent("asked", (written(event),)))

    def register(self, bounds: Bounds) -> None:
        """Nothing is wished here: the driver knows the plan."""

    def unregister(self, bounds: Bounds) -> None:
        """Likewise."""

    async def admit(self, tokens: int = 0) -> None:
        """Wait for leave to make a call."""
        await self._call("admit", tokens)

    def release(self, *, reserved: int = 0, tokens: int = 0, calls: int = 1, succeeded: bool = True) -> None:
        """Tell what a call took in the end."""
        self._send(WorkerEvent("release", (reserved, tokens, calls, succeeded)))

    def slow_down(self, pause: float | None = None) -> None:
        """Tell that the server asks to be asked less."""
        self._send(WorkerEvent("slow_down", (pause,)))

    async def reserve(self, guess: Any) -> float:  # noqa: ANN401  (what `CostBudget.reserve` is given)
        """Wait for money."""
        return 0.0 if self.most is None else await self._call("reserve", guess())

    def settle(self, reserved: float, cost: float | None) -> None:
        """Tell what was spent."""
        if self.most is not None:
            self._send(WorkerEvent("settle", (reserved, cost)))

    async def ask(self, prompt: Prompt[A]) -> ScheduledReply:
        """Return the answer to a prompt that the whole run shares."""
        return ScheduledReply(*await self._call("ask", prompt))

    async def recall(self, key: str) -> str | None:
        """Return the reply, written down, to the prompt of that key."""
        return await self._call("recall", key)

    def resolve(self, reply: DriverResponse) -> None:
        """Take in the answer to a call."""
        future = self._calls.pop(reply.number)
        if future.done():  # whoever called is gone
            return
        if reply.error is not None:
            future.set_exception(reply.error)
        else:
            future.set_result(reply.value)

    def packet(self, *dumps: Dumps) -> bytes:
        """Return all messages that wait."""
        messages, self._messages = self._messages, []
        self.waiting.clear()
        return pack(messages, *dumps)

    async def _call(self, kind: Any, *args: object) -> Any:  # noqa: ANN401  (as the call goes)
        number = next(self._numbers)
        future = self._calls[number] = asyncio.get_running_loop().create_future()
        self._send(WorkerRequest(number, kind, args))
        return await future

    def _send(self, message: object) -> None:
        self._messages.append(message)
        self.waiting.set()
