"""The desk in front of a judge during a run: equal prompts are asked once, and no more at once than limits allow.

Prompts are values, so two that are equal, whoever asks them, share one task and one answer. Answers of finished tasks
are kept for a while (the metrics of a test case ask close together), those of prompts that a whole run shares for good.
What an interrupted run was answered already, or a cache holds, is not asked again and waits for nobody.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any, NamedTuple, Protocol, TypeVar, cast

from ragstone.errors import AccessRefused, BudgetSpent, JudgeError, describe
from ragstone.event import Asked, Emit
from ragstone.judges._base import Judge, Reply
from ragstone.judges._budget import Budget
from ragstone.judges._exchange import Exchange, recall_from
from ragstone.judges._limits import Bounds, limits_of
from ragstone.judges._tokens import TokenForecast
from ragstone.prompts import Answer, Prompt
from ragstone.result import NOTHING, Usage

A = TypeVar("A", bound=Answer)

_KEPT = 4096


class Given(NamedTuple):
    """A reply, and whether it was asked for now or shared with someone who asked before."""

    reply: Reply[Any]
    shared: bool


@dataclass(slots=True, eq=False)
class Asking:
    """A prompt that was put to the judge.

    Attributes:
        task: brings the reply.
        admitted: when the judge's limits let the call through; None as long as it waits.
    """

    task: "asyncio.Task[Reply[Any]] | None" = None
    admitted: float | None = None


Waits = list[tuple[float, Asking]]
"""When somebody began to wait for what."""


Kept = Callable[[], Awaitable[None]]
"""Waits until what was told is kept."""


class Gate(Protocol):
    """Lets calls through at the pace that is allowed; see `Limits`."""

    @property
    def counts_tokens(self) -> bool: ...
    def join(self, wishes: Bounds) -> None: ...
    def leave(self, wishes: Bounds) -> None: ...
    async def admit(self, tokens: int = 0) -> None: ...
    def release(self, *, reserved: int = 0, tokens: int = 0, calls: int = 1, well: bool = True) -> None: ...
    def slow_down(self, told: float | None = None) -> None: ...


class Purse(Protocol):
    """Gives out what may be spent; see `Budget`."""

    @property
    def most(self) -> float | None: ...
    async def reserve(self, guess: Callable[[], float]) -> float: ...
    def settle(self, reserved: float, cost: float | None) -> None: ...


def _nobody(event: object) -> None:
    del event


def _nothing(key: str) -> str | None:
    del key
    return None


class Desk:
    """Puts prompts to one judge. Belongs to one run and one event loop."""

    def __init__(
        self,
        judge: Judge,
        *,
        bounds: Bounds | None = None,
        limits: Gate | None = None,
        budget: Purse | None = None,
        emit: Emit = _nobody,
        recall: Callable[[str], str | None] = _nothing,
        kept: Kept | None = None,
    ) -> None:
        """Open the desk; `close` it in the end.

        Args:
            judge: who answers.
            bounds: how much is to be asked at once and in a minute; the judge's own limits hold besides.
            limits: who lets calls through; the judge's own limits where None.
            budget: what may be spent.
            emit: told of each question.
            kept: waits until those who were told of a question have kept the answer.
            recall: returns the reply, written down, that an interrupted run got to the prompt of that key.
        """
        self.judge = judge
        self._bounds = bounds or Bounds(concurrency=16)
        self._budget = budget or Budget()
        self._limits = limits or limits_of(judge)
        self._limits.join(self._bounds)
        self._emit = emit
        self._kept = kept
        self._recall = recall_from(recall, judge)
        self._forecast = TokenForecast()
        self._asked: OrderedDict[Prompt[Any], Asking] = OrderedDict()
        self._asked_for_good: dict[Prompt[Any], Asking] = {}
        self._refused: AccessRefused | None = None

    def slow_down(self, told: float | None) -> None:
        """Heed a server that asks to be asked less; `told` is the pause it asks for."""
        self._limits.slow_down(told)

    async def ask(self, prompt: Prompt[A], case_index: int = -1, waits: Waits | None = None) -> Given:
        """Return the judge's reply to `prompt`, shared with whoever asked an equal prompt before.

        Args:
            prompt: what to ask.
            case_index: the test case that the question is about.
            waits: takes note of what is asked where the judge's limits may keep it waiting.

        Raises:
            JudgeError: as the judge does; once access was refused, at once and without another call.
            BudgetSpent: what may be spent is spent.
        """
        memory = self._asked_for_good if prompt.shared_by_run else self._asked
        asking = memory.get(prompt)
        shared = asking is not None
        if asking is None:
            asking = memory[prompt] = Asking()
            asking.task = asyncio.create_task(
                self._ask(prompt, asking, -1 if prompt.shared_by_run else case_index)
            )
            asking.task.add_done_callback(_look_at)
            self._forget_oldest()
        if waits is not None and asking.admitted is None:
            waits.append((perf_counter(), asking))
        try:
            return Given(await asyncio.shield(cast("asyncio.Task[Reply[Any]]", asking.task)), shared)
        except Exception:
            if memory.get(prompt) is asking:  # a failure is not remembered: who asks later may have more luck
                del memory[prompt]
            raise

    async def close(self) -> None:
        """Cancel what nobody waits for any more."""
        askings = (*self._asked.values(), *self._asked_for_good.values())
        tasks = [asking.task for asking in askings if asking.task is not None and not asking.task.done()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._limits.leave(self._bounds)

    def _forget_oldest(self) -> None:
        while len(self._asked) > _KEPT:
            oldest, asking = next(iter(self._asked.items()))
            if asking.task is None or not asking.task.done():
                break
            del self._asked[oldest]

    async def _ask(self, prompt: Prompt[A], asking: Asking, case_index: int) -> Reply[A]:
        start = perf_counter()
        reply = self._recall(prompt)
        if reply is not None:
            asking.admitted = start
            self._tell(prompt, case_index, start, reply=reply)
            return reply
        tokens = self._forecast.of(prompt) if self._limits.counts_tokens else 0
        await self._limits.admit(tokens)
        asking.admitted = perf_counter()
        return await self._call(prompt, case_index, tokens)

    async def _call(self, prompt: Prompt[A], case_index: int, tokens: int) -> Reply[A]:
        """Call the judge, and settle the account whatever comes of it."""
        start, usage, well = perf_counter(), NOTHING, False
        try:
            reply = await self._spend(prompt)
            usage, well = reply.usage, True
        except BudgetSpent:
            raise
        except Exception as error:
            if isinstance(error, AccessRefused):
                self._refused = error
            usage = _spent_in_vain(error)
            self._tell(prompt, case_index, start, error=describe(error), usage=usage)
            raise
        else:
            if self._limits.counts_tokens or self._budget.most is not None:
                self._forecast.learn(prompt, usage)
            self._tell(prompt, case_index, start, reply=reply)
            if self._kept is not None:
                await self._kept()
            return reply
        finally:
            took = usage.input_tokens + usage.output_tokens
            self._limits.release(reserved=tokens, tokens=took, calls=usage.calls, well=well)

    async def _spend(self, prompt: Prompt[A]) -> Reply[A]:
        """Ask, within the budget, and not once access was refused."""
        if self._refused is not None:
            raise self._refused.with_traceback(None)  # raised a thousand times it would remember every one
        reserved = await self._budget.reserve(lambda: self._forecast.price(prompt, self.judge))
        cost: float | None = 0.0
        try:
            reply = _as_reply(await self.judge.ask(prompt))
            cost = reply.cost
            return cast("Reply[A]", reply)
        except JudgeError as error:
            cost = error.cost or 0.0
            raise
        finally:
            self._budget.settle(reserved, cost)

    def _tell(
        self,
        prompt: Prompt[Any],
        case_index: int,
        start: float,
        *,
        reply: Reply[Any] | None = None,
        error: str | None = None,
        usage: Usage = NOTHING,
    ) -> None:
        self._emit(
            Asked(
                prompt=type(prompt).__name__,
                judge=self.judge.name,
                usage=reply.usage if reply else usage,
                cost=reply.cost if reply else None,
                latency_ms=(perf_counter() - start) * 1000,
                error=error,
                recorded=reply is not None and reply.recorded,
                case_index=case_index,
                exchange=Exchange(prompt, reply) if reply else None,
            )
        )


def _look_at(task: asyncio.Task[Reply[Any]]) -> None:
    """Retrieve the failure of a task whose askers are all gone, lest asyncio warns of it."""
    if not task.cancelled():
        task.exception()


def _spent_in_vain(error: Exception) -> Usage:
    spent = getattr(error, "spent", None)
    return spent if isinstance(spent, Usage) else NOTHING


def _as_reply(reply: Reply[Any] | Answer) -> Reply[Any]:
    """Accept a bare answer too: a judge of the user's own may not know what it took."""
    return Reply(reply) if isinstance(reply, Answer) else reply
