"""A desk in another process than its run: a branch, which does what is dear and asks the head office for the rest.

The branch words prompts, asks the judge and reads answers. What belongs to the whole run stays with the head office:
leave to make a call (limits, budget), what an interrupted run or a lost branch was answered, and the prompts that a
whole run shares, which the head office asks itself, once.
"""

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import Protocol, TypeVar, cast

from ragstone.event import Emit
from ragstone.judges._base import Judge, Reply
from ragstone.judges._desk import Asking, Desk, Gate, Given, Purse
from ragstone.judges._exchange import key_of
from ragstone.judges._written import read_written
from ragstone.prompts import Answer, Prompt
from ragstone.result import NOTHING

A = TypeVar("A", bound=Answer)


class HeadOffice(Protocol):
    """Where the run is."""

    async def ask(self, prompt: Prompt[A]) -> Given:
        """Return the answer to a prompt that the whole run shares."""
        ...

    async def recall(self, key: str) -> str | None:
        """Return the reply, written down, to the prompt of that key; None where it was not answered."""
        ...


class Branch(Desk):
    """Puts prompts to one judge, for a run that is elsewhere."""

    def __init__(
        self,
        judge: Judge,
        head_office: HeadOffice,
        *,
        limits: Gate,
        budget: Purse,
        emit: Emit,
        remembers: Callable[[int], bool],
    ) -> None:
        """Open the branch; `remembers` tells whether answers about a test case may be known at the head office."""
        super().__init__(judge, limits=limits, budget=budget, emit=emit)
        self._head_office = head_office
        self._remembers = remembers

    async def _ask(self, prompt: Prompt[A], asking: Asking, case_index: int) -> Reply[A]:
        start = perf_counter()
        if prompt.shared_by_run:
            reply, shared = await self._head_office.ask(prompt)
            asking.admitted = perf_counter()
            return (
                replace(reply, usage=NOTHING, cost=0.0, recorded=True) if shared else cast("Reply[A]", reply)
            )
        if self._remembers(case_index):
            text = await self._head_office.recall(key_of(prompt))
            found = None if text is None else read_written(text, prompt)
            if found is not None:
                asking.admitted = perf_counter()
                self._tell(prompt, case_index, start, reply=found)
                return found
        return await super()._ask(prompt, asking, case_index)
