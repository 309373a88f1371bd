"""The desk in front of a judge during a run: equal prompts are asked once, and no more at once than limits allow.

Prompts are values, so two that are equal, whoever asks them, share one task and one answer. Answers of finished tasks
are kept for a while (the metrics of a test case ask close together), those of prompts that a whole run shares for good.
What an interrupted run was answered already, or a cache holds, is not asked again and waits for nobody.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from time import perf_counter
from typing import Any, NamedTuple, Protocol, TypeVar, cast

from ragstone.engine.budget import Budget
from ragstone.engine.exchange import Exchange, key_of, recall_from
from ragstone.engine.token_estimator import TokenEstimator
from ragstone.errors import AccessRefused, JudgeError, RunStopped, describe
from ragstone.event import EventListener, JudgeCalled
from ragstone.judges.base import Judge, Reply
from ragstone.judges.limits import Bounds, Limits, limits_of
from ragstone.prompts import Answer, Prompt
from ragstone.providers.batches.activity import ActivityCounter
from ragstone.result import NO_USAGE, Usage

A = TypeVar("A", bound=Answer)

_REMEMBERED = 4096
_REMEMBERED_IN_BATCHES = 65_536
"""Where all test cases ask before any goes on, the metrics of one do not ask close together."""


class ScheduledReply(NamedTuple):
    """A reply, and whether it was asked for now or shared with someone who asked before."""

    reply: Reply[Any]
    shared: bool


@dataclass(slots=True, eq=False)
class InFlightPrompt:
    """A prompt that was put to the judge.

    Attributes:
        task: brings the reply.
        admitted: when the judge's limits let the call through; None as long as it waits.
    """

    task: "asyncio.Task[Reply[Any]] | None" = None
    admitted: float | None = None


WaitLog = list[tuple[float, InFlightPrompt]]
"""When somebody began to wait for what."""


Flush = Callable[[], Awaitable[None]]
"""Waits until what was told is kept."""


class RateLimiter(Protocol):
    """Lets calls through at the pace that is allowed; see `Limits`."""

    @property
    def counts_tokens(self) -> bool: ...
    def register(self, bounds: Bounds) -> None: ...
    def unregister(self, bounds: Bounds) -> None: ...
    async def admit(self, tokens: int = 0) -> None: ...
    def release(
        self, *, reserved: int = 0, tokens: int = 0, calls: int = 1, succeeded: bool = True
    ) -> None: ...
    def slow_down(self, told: float | None = None) -> None: ...


class CostBudget(Protocol):
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


class PromptScheduler:
    """Puts prompts to one judge. Belongs to one run and one event loop."""

    def __init__(
        self,
        judge: Judge,
        *,
        bounds: Bounds | None = None,
        limits: RateLimiter | None = None,
        budget: CostBudget | None = None,
        emit: EventListener = _nobody,
        recall: Callable[[str], str | None] = _nothing,
        kept: Flush | None = None,
        activity: ActivityCounter | None = None,
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
            roll: counts who is at work, where questions travel in batches: no bounds hold then, and nobody is blamed
                for the time that an answer takes.
        """
        self.judge = judge
        self._bounds = Bounds() if activity is not None else bounds or Bounds(concurrency=16)
        self._budget = budget or Budget()
        self._activity = activity
        self._limits = limits or (limits_of(judge) if activity is None else Limits())
        self._limits.register(self._bounds)
        self._emit = emit
        self._kept = kept
        self._recall = recall_from(recall, judge)
        self._token_estimator = TokenEstimator()
        self._recent: OrderedDict[Prompt[Any], InFlightPrompt] = OrderedDict()
        self._run_wide: dict[Prompt[Any], InFlightPrompt] = {}
        self._refused: AccessRefused | None = None

    def slow_down(self, told: float | None) -> None:
        """Heed a server that asks to be asked less; `told` is the pause it asks for."""
        self._limits.slow_down(told)

    async def ask(
        self, prompt: Prompt[A], case_index: int = -1, wait_log: WaitLog | None = None
    ) -> ScheduledReply:
        """Return the judge's reply to `prompt`, shared with whoever asked an equal prompt before.

        Args:
            prompt: what to ask.
            case_index: the test case that the question is about.
            waits: takes note of what is asked where the judge's limits may keep it waiting.

        Raises:
            JudgeError: as the judge does; once access was refused, at once and without another call.
            RunStopped: what may be spent is spent, or a batch is out of reach.
        """
        memory = self._run_wide if prompt.shared_by_run else self._recent
        in_flight = memory.get(prompt)
        shared = in_flight is not None
        if in_flight is None:
            in_flight = memory[prompt] = InFlightPrompt()
            ask = self._ask if self._activity is None else self._ask_in_batches
            in_flight.task = asyncio.create_task(
                ask(prompt, in_flight, -1 if prompt.shared_by_run else case_index)
            )
            in_flight.task.add_done_callback(_retrieve_exception)
            self._forget_oldest()
        if wait_log is not None and in_flight.admitted is None:
            wait_log.append((perf_counter(), in_flight))
        try:
            return ScheduledReply(
                await asyncio.shield(cast("asyncio.Task[Reply[Any]]", in_flight.task)), shared
            )
        except Exception:
            if (
                memory.get(prompt) is in_flight
            ):  # a failure is not remembered: who asks later may have more luck
                del memory[prompt]
            raise

    def active_measurement(self) -> AbstractContextManager[None]:
        """Count the caller as one who may have something to ask, where that is counted."""
        return nullcontext() if self._activity is None else self._activity.active()

    async def close(self) -> None:
        """Cancel what nobody waits for any more."""
        in_flight = (*self._recent.values(), *self._run_wide.values())
        tasks = [
            in_flight.task
            for in_flight in in_flight
            if in_flight.task is not None and not in_flight.task.done()
        ]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._limits.unregister(self._bounds)

    def _forget_oldest(self) -> None:
        while len(self._recent) > (_REMEMBERED if self._activity is None else _REMEMBERED_IN_BATCHES):
            oldest, in_flight = next(iter(self._recent.items()))
            if in_flight.task is None or not in_flight.task.done():
                break
            del self._recent[oldest]

    async def _ask_in_batches(
        self, prompt: Prompt[A], in_flight: InFlightPrompt, case_index: int
    ) -> Reply[A]:
        """Ask as a worker of its own; until the answer is there nobody is blamed for the time."""
        if self._activity is None:
            raise AssertionError
        with self._activity.active(key_of(prompt)):
            try:
                return await self._ask(prompt, in_flight, case_index)
            finally:
                in_flight.admitted = perf_counter()

    async def _ask(self, prompt: Prompt[A], in_flight: InFlightPrompt, case_index: int) -> Reply[A]:
        start = perf_counter()
        reply = self._recall(prompt)
        if reply is not None:
            in_flight.admitted = start
            self._tell(prompt, case_index, start, reply=reply)
            return reply
        tokens = self._token_estimator.of(prompt) if self._limits.counts_tokens else 0
        await self._limits.admit(tokens)
        if self._activity is None:
            in_flight.admitted = perf_counter()
        return await self._call(prompt, case_index, tokens)

    async def _call(self, prompt: Prompt[A], case_index: int, tokens: int) -> Reply[A]:
        """Call the judge, and settle the account whatever comes of it."""
        start, usage, succeeded = perf_counter(), NO_USAGE, False
        try:
            reply = await self._ask_within_budget(prompt)
            usage, succeeded = reply.usage, True
        except RunStopped:
            raise
        except Exception as error:
            if isinstance(error, AccessRefused):
                self._refused = error
            usage = _usage_of_failure(error)
            self._tell(prompt, case_index, start, error=describe(error), usage=usage)
            raise
        else:
            if self._limits.counts_tokens or self._budget.most is not None:
                self._token_estimator.learn(prompt, usage)
            self._tell(prompt, case_index, start, reply=reply)
            if self._kept is not None:
                await self._kept()
            return reply
        finally:
            took = usage.input_tokens + usage.output_tokens
            self._limits.release(reserved=tokens, tokens=took, calls=usage.calls, succeeded=succeeded)

    async def _ask_within_budget(self, prompt: Prompt[A]) -> Reply[A]:
        """Ask, within the budget, and not once access was refused."""
        if self._refused is not None:
            raise self._refused.with_traceback(None)  # raised a thousand times it would remember every one
        reserved = await self._budget.reserve(lambda: self._token_estimator.price(prompt, self.judge))
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
        usage: Usage = NO_USAGE,
    ) -> None:
        self._emit(
            JudgeCalled(
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


def _retrieve_exception(task: asyncio.Task[Reply[Any]]) -> None:
    """Retrieve the failure of a task whose askers are all gone, lest asyncio warns of it."""
    if not task.cancelled():
        task.exception()


def _usage_of_failure(error: Exception) -> Usage:
    spent = getattr(error, "spent", None)
    return spent if isinstance(spent, Usage) else NO_USAGE


def _as_reply(reply: Reply[Any] | Answer) -> Reply[Any]:
    """Accept a bare answer too: a judge of the user's own may not know what it took."""
    return Reply(reply) if isinstance(reply, Answer) else reply
