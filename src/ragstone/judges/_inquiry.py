"""An inquiry: what one metric asks about one test case, and the bill for it."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar, cast

from ragstone.embeddings import get_embedder
from ragstone.errors import JudgeError
from ragstone.judges._desk import Desk, Waits
from ragstone.prompts import Answer, Prompt
from ragstone.providers.batches._roll import away
from ragstone.result import NOTHING, Usage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

A = TypeVar("A", bound=Answer)
B = TypeVar("B", bound=Answer)


class Inquiry:
    """The judge and the embedder as a metric sees them. One inquiry serves one measurement."""

    def __init__(self, desk: Desk, case_index: int = -1, *, repeat: int = 0) -> None:
        """Put the questions to `desk`, about the test case of that number; `repeat` counts its measurements from 0."""
        self._desk = desk
        self._repeat = repeat
        self._case_index = case_index
        self.judge = desk.judge.name
        self.about: list[Mapping[str, Any]] = []
        self._paid: list[tuple[Usage, float | None]] = []
        self._waits: Waits = []

    async def ask(self, prompt: Prompt[A]) -> A:
        """Return the judge's answer to `prompt`.

        Raises:
            JudgeError: there is none.
        """
        if self._repeat and not prompt.shared_by_run:
            prompt = replace(prompt, repeat=self._repeat)
        try:
            with away():
                given = await self._desk.ask(prompt, self._case_index, self._waits)
        except JudgeError as error:
            if isinstance(error.spent, Usage):
                self._paid.append((error.spent, error.cost))
                error.spent = None  # whoever shares this failure does not pay again
            raise
        if not given.shared:
            self._paid.append((given.reply.usage, given.reply.cost))
        if given.reply.about:
            self.about.append(given.reply.about)
        return cast("A", given.reply.answer)

    async def ask_all(self, prompts: Sequence[Prompt[A]]) -> list[A]:
        """Ask several prompts at the same time; answers in the order of the prompts."""
        return list(await asyncio.gather(*(self.ask(prompt) for prompt in prompts)))

    async def ask_both(self, first: Prompt[A], second: Prompt[B]) -> tuple[A, B]:
        """Ask two different prompts at the same time."""
        return await asyncio.gather(self.ask(first), self.ask(second))

    async def embed(self, texts: Sequence[str], embedder: str) -> "NDArray[np.float32]":
        """Return one unit vector a text, by the embedder of that spec; shape (texts, dimensions)."""
        if getattr(self._desk.judge, "imagined", False):
            return await get_embedder().embed(texts)  # an estimate sends nothing to anybody
        return await get_embedder(embedder).embed(texts)

    @property
    def usage(self) -> Usage:
        """What was asked of the judge, answers shared with others left out."""
        if not self._paid:
            return NOTHING
        return sum((usage for usage, _ in self._paid), NOTHING)

    @property
    def cost(self) -> float | None:
        """US dollars; None where a price is not known."""
        costs = [cost for _, cost in self._paid]
        return None if None in costs else sum(cast("list[float]", costs))

    def waited(self, now: float) -> float:
        """Return the seconds spent waiting for the judge's limits: time that no measurement is blamed for."""
        spans = sorted((since, asking.admitted or now) for since, asking in self._waits)
        total, reached = 0.0, 0.0
        for since, until in spans:  # spans of questions asked at the same time overlap
            total += max(0.0, until - max(since, reached))
            reached = max(reached, until)
        return total
