"""A worker's end of the line to the driver of its run: what it takes for limits, budget and head office.

Nothing is decided here. Whoever asks for leave to make a call waits until the driver, which sees all workers, gives it.
"""

import asyncio
from itertools import count
from typing import Any, TypeVar

from ragstone.event import Asked, Event
from ragstone.judges._desk import Given
from ragstone.judges._limits import Bounds
from ragstone.prompts import Answer, Prompt
from ragstone.result import Result
from ragstone.runner._messages import Call, Dumps, Note, Reply, pack, written
from ragstone.runner._work import Task

A = TypeVar("A", bound=Answer)


class Line:
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
        self._send(Note("started", (task.case_index, task.metric_index)))

    def measured(self, task: Task, result: Result) -> None:
        """Tell how it ended."""
        self._send(Note("measured", (task.case_index, task.metric_index, result)))

    def over(self, task: Task, why: str) -> None:
        """Tell that it was given up: the budget is spent."""
        self._send(Note("over", (task.case_index, task.metric_index, why)))

    def emit(self, event: Event) -> None:
        """Tell what the desk has to tell."""
        if isinstance(event, Asked):
            self._send(Note("asked", (written(event),)))

    def join(self, wishes: Bounds) -> None:
        """Nothing is wished here: the driver knows the plan."""

    def leave(self, wishes: Bounds) -> None:
        """Likewise."""

    async def admit(self, tokens: int = 0) -> None:
        """Wait for leave to make a call."""
        await self._call("admit", tokens)

    def release(self, *, reserved: int = 0, tokens: int = 0, calls: int = 1, well: bool = True) -> None:
        """Tell what a call took in the end."""
        self._send(Note("release", (reserved, tokens, calls, well)))

    def slow_down(self, told: float | None = None) -> None:
        """Tell that the server asks to be asked less."""
        self._send(Note("slow_down", (told,)))

    async def reserve(self, guess: Any) -> float:  # noqa: ANN401  (what `Purse.reserve` is given)
        """Wait for money."""
        return 0.0 if self.most is None else await self._call("reserve", guess())

    def settle(self, reserved: float, cost: float | None) -> None:
        """Tell what was spent."""
        if self.most is not None:
            self._send(Note("settle", (reserved, cost)))

    async def ask(self, prompt: Prompt[A]) -> Given:
        """Return the answer to a prompt that the whole run shares."""
        return Given(*await self._call("ask", prompt))

    async def recall(self, key: str) -> str | None:
        """Return the reply, written down, to the prompt of that key."""
        return await self._call("recall", key)

    def hear(self, reply: Reply) -> None:
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

    async def _call(self, what: Any, *told: object) -> Any:  # noqa: ANN401  (as the call goes)
        number = next(self._numbers)
        future = self._calls[number] = asyncio.get_running_loop().create_future()
        self._send(Call(number, what, told))
        return await future

    def _send(self, message: object) -> None:
        self._messages.append(message)
        self.waiting.set()
