"""The context of one measurement: a metric's calls of the judge, and their cost."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar, cast

from ragstone.embeddings import get_embedder
from ragstone.engine.prompt_groups import WaitLog
from ragstone.engine.scheduler import PromptScheduler
from ragstone.errors import JudgeError
from ragstone.prompts import Answer, Prompt
from ragstone.providers.batches.activity import idle
from ragstone.result import NO_USAGE, Usage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

A = TypeVar("A", bound=Answer)
B = TypeVar("B", bound=Answer)


class MetricContext:
    """The judge and the embedder, as a metric's `assess` uses them. One context serves one measurement.

    Attributes:
        judge: the judge's name.
        about: details of the votes, for answers on which several judges voted.
        started: start of the measurement, in seconds of `time.perf_counter`.
    """

    def __init__(self, scheduler: PromptScheduler, case_index: int = -1, *, repeat: int = 0) -> None:
        """Ask through `scheduler` about the test case of that index; `repeat` counts its measurements from 0."""
        self._scheduler = scheduler
        self._repeat = repeat
        self._case_index = case_index
        self.judge = scheduler.judge.name
        self.started = perf_counter()
        self.about: list[Mapping[str, Any]] = []
        self._charges: list[tuple[Usage, float | None]] = []
        self._wait_log: WaitLog = []

    async def ask(self, prompt: Prompt[A]) -> A:
        """Return the judge's answer to `prompt`. Raises JudgeError: there is none."""
        if self._repeat and not prompt.shared_by_run:
            prompt = replace(prompt, repeat=self._repeat)
        try:
            with idle():
                scheduled = await self._scheduler.ask(prompt, self._case_index, self._wait_log)
        except JudgeError as error:
            if isinstance(error.spent, Usage):
                self._charges.append((error.spent, error.cost))
                error.spent = None  # another measurement that shares this failure does not pay again
            raise
        reply = scheduled.reply
        if not scheduled.shared:
            self._charges.append((reply.usage, reply.cost))
        if reply.about:
            self.about.append(reply.about)
        return cast("A", reply.answer)

    async def ask_all(self, prompts: Sequence[Prompt[A]]) -> list[A]:
        """Ask several prompts concurrently; the answers are in the order of the prompts."""
        if len(prompts) == 1:  # the usual case, which needs no task of its own
            return [await self.ask(prompts[0])]
        return list(await asyncio.gather(*(self.ask(prompt) for prompt in prompts)))

    async def ask_both(self, first: Prompt[A], second: Prompt[B]) -> tuple[A, B]:
        """Ask two prompts of different types concurrently."""
        return await asyncio.gather(self.ask(first), self.ask(second))

    async def embed(self, texts: Sequence[str], embedder: str) -> "NDArray[np.float32]":
        """Return one unit vector per text, by the embedder of that spec; shape (texts, dimensions)."""
        if self._scheduler.judge.dry_run:
            return await get_embedder().embed(texts)  # an estimate sends nothing
        return await get_embedder(embedder).embed(texts)

    @property
    def usage(self) -> Usage:
        """Usage of the judge, without answers shared with other measurements."""
        if not self._charges:
            return NO_USAGE
        return sum((usage for usage, _ in self._charges[1:]), self._charges[0][0])

    @property
    def cost(self) -> float | None:
        """US dollars; None where a price is not known."""
        costs = [cost for _, cost in self._charges]
        return None if None in costs else sum(cast("list[float]", costs))

    def waited(self, now: float) -> float:
        """Return the seconds spent waiting for the judge's rate limits, which no time-out counts."""
        spans = sorted((since, prompt.admitted or now) for since, prompt in self._wait_log)
        total, reached = 0.0, 0.0
        for since, until in spans:  # spans of concurrent prompts overlap
            total += max(0.0, until - max(since, reached))
            reached = max(reached, until)
        return total
