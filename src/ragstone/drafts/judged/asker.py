"""Sends prompts to the judge through the scheduler of a draft, and counts usage and cost."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TypeVar, cast

from ragstone.drafts.journal import DraftJournal
from ragstone.engine.budget import Budget, refuse_unpriced
from ragstone.engine.exchange import recall_nothing
from ragstone.engine.scheduler import PromptScheduler
from ragstone.event import Event, JudgeCalled
from ragstone.judges.base import Judge
from ragstone.judges.limits import RateBounds
from ragstone.options import Limits, Pace
from ragstone.prompts import Answer, Prompt
from ragstone.providers.http.transport import open_transport
from ragstone.result import NO_USAGE, Usage

A = TypeVar("A", bound=Answer)


@dataclass(frozen=True, slots=True)
class DraftOptions:
    """Limits of the judge's calls.

    Attributes:
        limits: calls and tokens per minute, and the budget of the draft.
        pace: number of concurrent calls, and timeout of each in seconds.
    """

    limits: Limits = Limits()  # noqa: RUF009  (frozen)
    pace: Pace = Pace(concurrency=8)  # noqa: RUF009  (frozen)


class DraftAsker:
    """Asks a judge.

    `usage` and `cost` (None where a price is not known) include recorded answers; `prompts` holds the digest of the
    wording of each prompt that was asked, by name.
    """

    def __init__(self, judge: Judge, journal: DraftJournal | None) -> None:
        self.judge = judge
        self.usage: Usage = NO_USAGE
        self.cost: float | None = 0.0
        self.prompts: dict[str, str] = {}
        self._journal = journal
        self._scheduler: PromptScheduler | None = None

    @asynccontextmanager
    async def opened(self, options: DraftOptions) -> "AsyncGenerator[DraftAsker]":
        """Open the transport and the scheduler for the duration of a draft; yield this."""
        refuse_unpriced(self.judge, options.limits.budget)
        limits, journal = options.limits, self._journal
        self._scheduler = scheduler = PromptScheduler(
            self.judge,
            bounds=RateBounds(concurrency=options.pace.concurrency, rpm=limits.rpm, tpm=limits.tpm),
            budget=Budget(limits.budget, spent=journal.spent if journal else 0.0),
            emit=self._count_event,
            recall=journal.recall if journal else recall_nothing,
        )
        async with open_transport(
            timeout=options.pace.timeout,
            on_overload=lambda overload: scheduler.slow_down(overload.retry_after),
        ):
            try:
                yield self
            finally:
                await scheduler.close()

    async def ask(self, prompt: Prompt[A]) -> A:
        """Return the judge's answer.

        Raises:
            JudgeError: the judge gave no usable answer.
            RunStopped: the budget is spent.
        """
        if self._scheduler is None:
            raise AssertionError
        prompt_class = type(prompt)
        self.prompts[prompt_class.__name__] = self.judge.wording(prompt_class) or prompt_class.digest()
        scheduled = await self._scheduler.ask(prompt)
        return cast("A", scheduled.reply.answer)

    def _count_event(self, event: Event) -> None:
        if isinstance(event, JudgeCalled):
            self.usage += event.usage
            paid = event.cost if event.error is None else 0.0
            self.cost = None if self.cost is None or paid is None else self.cost + paid
            if self._journal is not None:
                self._journal.listen(event)
