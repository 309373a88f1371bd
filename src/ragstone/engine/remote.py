"""The prompt scheduler of a worker process: it calls the judge itself and leaves shared state to the driver.

The worker renders prompts, asks the judge and parses answers. The driver holds the state of the whole run: rate limits
and budget, the replies that an interrupted run or a lost worker received, and the prompts that the whole run shares,
which the driver asks itself, once.
"""

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import Protocol, TypeVar, cast

from ragstone.engine.exchange import key_of
from ragstone.engine.prompt_groups import InFlightPrompt
from ragstone.engine.scheduler import CostBudget, PromptScheduler, RateLimiter, ScheduledReply
from ragstone.event import EventListener
from ragstone.judges.asking.stored_reply import read_stored_reply
from ragstone.judges.base import Judge, Reply
from ragstone.prompts import Answer, Prompt
from ragstone.result import NO_USAGE

A = TypeVar("A", bound=Answer)


class RunDriver(Protocol):
    """The process that holds the run's shared state."""

    async def ask(self, prompt: Prompt[A]) -> ScheduledReply:
        """Return the reply to a prompt that the whole run shares."""
        ...

    async def recall(self, key: str) -> str | None:
        """Return the stored reply to the prompt of that key, None where there is none."""
        ...


class RemoteScheduler(PromptScheduler):
    """Puts prompts to one judge, for a run in another process."""

    def __init__(
        self,
        judge: Judge,
        driver: RunDriver,
        *,
        limits: RateLimiter,
        budget: CostBudget,
        emit: EventListener,
        may_recall: Callable[[int], bool],
    ) -> None:
        """Schedule for `driver`; `may_recall` returns whether it may have replies about a test case."""
        super().__init__(judge, limits=limits, budget=budget, emit=emit)
        self._driver = driver
        self._may_recall = may_recall

    async def _answer(self, prompt: Prompt[A], in_flight: InFlightPrompt, case_index: int) -> Reply[A]:
        start = perf_counter()
        if prompt.shared_by_run:
            reply, shared = await self._driver.ask(prompt)
            in_flight.admitted = perf_counter()
            return (
                replace(reply, usage=NO_USAGE, cost=0.0, recorded=True) if shared else cast("Reply[A]", reply)
            )
        if self._may_recall(case_index):
            text = await self._driver.recall(key_of(prompt))
            stored = None if text is None else read_stored_reply(text, prompt)
            if stored is not None:
                in_flight.admitted = perf_counter()
                self._emit_call(prompt, case_index, start, reply=stored)
                return stored
        return await super()._answer(prompt, in_flight, case_index)
