"""A desk in another process than its run: a branch, which does what is dear and asks the head office for the rest.

The branch words prompts, asks the judge and reads answers. What belongs to the whole run stays with the head office:
leave to make a call (limits, budget), what an interrupted run or a lost branch was answered, and the prompts that a
whole run shares, which the head office asks itself, once.
"""

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import Protocol, TypeVar, cast

from ragstone.engine.exchange import key_of
from ragstone.engine.scheduler import CostBudget, InFlightPrompt, PromptScheduler, RateLimiter, ScheduledReply
from ragstone.event import EventListener
from ragstone.judges.asking.stored_reply import read_stored_reply
from ragstone.judges.base import Judge, Reply
from ragstone.prompts import Answer, Prompt
from ragstone.result import NO_USAGE

A = TypeVar("A", bound=Answer)


class RunDriver(Protocol):
    """Where the run is."""

    async def ask(self, prompt: Prompt[A]) -> ScheduledReply:
        """Return the answer to a prompt that the whole run shares."""
        ...

    async def recall(self, key: str) -> str | None:
        """Return the reply, written down, to the prompt of that key; None where it was not answered."""
        ...


class RemoteScheduler(PromptScheduler):
    """Puts prompts to one judge, for a run that is elsewhere."""

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
        """Open the branch; `may_recall` tells whether answers about a test case may be known at the head office."""
        super().__init__(judge, limits=limits, budget=budget, emit=emit)
        self._driver = driver
        self._may_recall = may_recall

    async def _ask(self, prompt: Prompt[A], in_flight: InFlightPrompt, case_index: int) -> Reply[A]:
        start = perf_counter()
        if prompt.shared_by_run:
            reply, shared = await self._driver.ask(prompt)
            in_flight.admitted = perf_counter()
            return (
                replace(reply, usage=NO_USAGE, cost=0.0, recorded=True) if shared else cast("Reply[A]", reply)
            )
        if self._may_recall(case_index):
            text = await self._driver.recall(key_of(prompt))
            found = None if text is None else read_stored_reply(text, prompt)
            if found is not None:
                in_flight.admitted = perf_counter()
                self._tell(prompt, case_index, start, reply=found)
                return found
        return await super()._ask(prompt, in_flight, case_index)
