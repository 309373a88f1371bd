"""A worker's client of the driver, and its prompt scheduler, which leaves the shared state of the run to the driver.

The driver holds rate limits and budget, the replies that an interrupted run or a lost worker received, and the prompts
that the whole run shares, which it asks itself, once. The worker renders the other prompts, asks the judge and parses
the answers; a call waits until the driver, which serves all workers, admits it.
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from time import perf_counter
from typing import Any, TypeVar, cast

from ragstone.engine.budget import NOTHING_RESERVED, Reservation
from ragstone.engine.exchange import key_of
from ragstone.engine.prompt_groups import InFlightPrompt
from ragstone.engine.scheduler import PromptScheduler, ScheduledReply
from ragstone.event import Event, JudgeCalled, JudgeWaiting
from ragstone.judges.asking.stored_reply import read_stored_reply
from ragstone.judges.base import Judge, Reply
from ragstone.judges.limits import RateBounds
from ragstone.prompts import Answer, Prompt
from ragstone.result import NO_USAGE, Result, Usage
from ragstone.runner.distributed.messages import (
    DriverResponse,
    Dumps,
    WorkerEvent,
    WorkerRequest,
    pack,
    serialized,
)
from ragstone.runner.tasks import Task

A = TypeVar("A", bound=Answer)


class DriverClient:
    """Rate limiter, budget and source of shared replies of a worker, by messages to the driver."""

    def __init__(self, *, counts_tokens: bool, most: float | None) -> None:
        """Begin without messages; the arguments come from the run's limits and budget."""
        self.counts_tokens = counts_tokens
        self.most = most
        self.waiting = asyncio.Event()
        self._messages: list[object] = []
        self._request_numbers = count()
        self._pending: dict[int, asyncio.Future[Any]] = {}

    def started(self, task: Task) -> None:
        """Report that a measurement begins."""
        self._send(WorkerEvent("started", (task.case_index, task.metric_index)))

    def measured(self, task: Task, result: Result) -> None:
        """Report the result of a measurement."""
        self._send(WorkerEvent("measured", (task.case_index, task.metric_index, result)))

    def stopped(self, task: Task, why: str, usage: Usage, cost: float | None) -> None:
        """Report that a measurement was given up, and what it has taken."""
        self._send(WorkerEvent("stopped", (task.case_index, task.metric_index, why, usage, cost)))

    def emit(self, event: Event) -> None:
        """Forward a judge call, or a judge that does not answer, to the driver."""
        if isinstance(event, JudgeCalled):
            self._send(WorkerEvent("asked", (serialized(event),)))
        elif isinstance(event, JudgeWaiting):
            self._send(WorkerEvent("waiting", (event,)))

    def register(self, bounds: RateBounds) -> None:
        """Do nothing: the driver has registered the bounds of the plan."""

    def unregister(self, bounds: RateBounds) -> None:
        """Do nothing: the driver unregisters them."""

    async def admit(self, tokens: int = 0) -> None:
        """Wait until the driver admits a call."""
        await self._call("admit", tokens)

    def release(self, *, reserved: int = 0, tokens: int = 0, calls: int = 1, succeeded: bool = True) -> None:
        """Report the end of a call."""
        self._send(WorkerEvent("release", (reserved, tokens, calls, succeeded)))

    def slow_down(self, pause: float | None = None) -> None:
        """Report an overloaded server."""
        self._send(WorkerEvent("slow_down", (pause,)))

    async def reserve(self, estimate: Callable[[], float]) -> Reservation:
        """Reserve the likely cost of a call."""
        return NOTHING_RESERVED if self.most is None else await self._call("reserve", estimate())

    def settle(self, reserved: Reservation, cost: float | None) -> None:
        """Report the actual cost of a call."""
        if self.most is not None:
            self._send(WorkerEvent("settle", (reserved, cost)))

    async def ask(self, prompt: Prompt[A]) -> ScheduledReply:
        """Return the reply to a prompt that the whole run shares."""
        return ScheduledReply(*await self._call("ask", prompt))

    async def recall(self, key: str) -> str | None:
        """Return the stored reply to the prompt of that key."""
        return await self._call("recall", key)

    def resolve(self, reply: DriverResponse) -> None:
        """Deliver the driver's response to the request that waits for it."""
        future = self._pending.pop(reply.number)
        if future.done():  # the caller was cancelled
            return
        if reply.error is not None:
            future.set_exception(reply.error)
        else:
            future.set_result(reply.value)

    def packet(self, *dumps: Dumps) -> bytes:
        """Return all waiting messages, packed."""
        messages, self._messages = self._messages, []
        self.waiting.clear()
        return pack(messages, *dumps)

    async def _call(self, kind: Any, *args: object) -> Any:  # noqa: ANN401  (depends on the request)
        number = next(self._request_numbers)
        future = self._pending[number] = asyncio.get_running_loop().create_future()
        self._send(WorkerRequest(number, kind, args))
        return await future

    def _send(self, message: object) -> None:
        self._messages.append(message)
        self.waiting.set()


class RemoteScheduler(PromptScheduler):
    """Puts prompts to one judge, for a run in another process."""

    def __init__(self, judge: Judge, driver: DriverClient, *, may_recall: Callable[[int], bool]) -> None:
        """Schedule for `driver`; `may_recall` returns whether it may have replies about a test case."""
        super().__init__(judge, limits=driver, budget=driver, emit=driver.emit)
        self._driver = driver
        self._may_recall = may_recall

    async def _answer(self, prompt: Prompt[A], in_flight: InFlightPrompt, case_index: int) -> Reply[A]:
        start = perf_counter()
        if prompt.shared_by_run:
            reply, shared = await self._driver.ask(prompt)
            in_flight.admitted = perf_counter()
            unpaid = replace(reply, usage=NO_USAGE, cost=0.0, recorded=True) if shared else reply
            return cast("Reply[A]", unpaid)
        if self._may_recall(case_index):
            text = await self._driver.recall(key_of(prompt))
            stored = None if text is None else read_stored_reply(text, prompt)
            if stored is not None:
                in_flight.admitted = perf_counter()
                self._emit_call(prompt, case_index, start, stored)
                return stored
        return await super()._answer(prompt, in_flight, case_index)
