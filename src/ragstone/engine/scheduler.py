"""The scheduler of a run's prompts: equal prompts are asked once, and never more at once than the limits allow.

Prompts are values: equal ones share a task and its answer. The answers of finished tasks are remembered for a while
(the metrics of a test case ask close together), those of prompts shared by the whole run until it ends.
An answer found in an interrupted run or in a cache is not asked for again and waits for no limit.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from time import perf_counter
from typing import Any, NamedTuple, Protocol, TypeVar, cast

from ragstone.engine.budget import Budget, Reservation
from ragstone.engine.cancellation import cancel_tasks, outcome_of
from ragstone.engine.combining import ask_parts, replies_to
from ragstone.engine.exchange import Exchange, key_of, recall_from, recall_nothing
from ragstone.engine.prompt_groups import InFlightPrompt, PromptGroups, WaitLog
from ragstone.engine.token_estimator import TokenEstimator
from ragstone.errors import AccessRefused, JudgeError, RunStopped, TimedOut, describe
from ragstone.event import EventListener, JudgeCalled
from ragstone.judges.adapted import as_judge
from ragstone.judges.base import JudgeLike, Reply, limits_of
from ragstone.judges.limits import JudgeLimits, RateBounds
from ragstone.prompts import Answer, Prompt
from ragstone.prompts.base.combined import CombinedPrompt
from ragstone.providers.batches.activity import ActivityCounter
from ragstone.result import NO_USAGE, Usage

A = TypeVar("A", bound=Answer)

_MAX_CACHED = 4096
_MAX_CACHED_IN_BATCHES = 65_536
"""Numbers of cached replies.

In batches all test cases ask before any continues, so the metrics of one case do not ask close together.
"""

_MAX_TIMED_OUT_ATTEMPTS = 7
"""Attempts of a call that a busy server answers too late. Each halves the calls in flight, from 64 to 1."""

_QUEUEING_HINT = (
    "The server answered other calls in that time, so it probably queues them: "
    "lower --concurrency (concurrency=…), or raise --timeout."
)


class ScheduledReply(NamedTuple):
    """A reply, and whether it is shared with an earlier caller."""

    reply: Reply[Any]
    shared: bool


Flush = Callable[[], Awaitable[None]]
"""Waits until the listeners have stored what was emitted."""


class RateLimiter(Protocol):
    """Admits calls at the allowed rate; see `JudgeLimits`."""

    @property
    def counts_tokens(self) -> bool:
        """Whether tokens are bounded."""
        ...

    def register(self, bounds: RateBounds) -> None:
        """Apply the bounds of a run that begins."""

    def unregister(self, bounds: RateBounds) -> None:
        """Drop the bounds of a run that has ended."""

    async def admit(self, tokens: int = 0) -> None:
        """Wait until a call of about that many tokens may be made."""

    def release(self, *, reserved: int = 0, tokens: int = 0, calls: int = 1, succeeded: bool = True) -> None:
        """End an admitted call."""

    def slow_down(self, pause: float | None = None) -> None:
        """React to an overloaded server."""


class CostBudget(Protocol):
    """Reserves money for calls; see `Budget`."""

    most: float | None

    async def reserve(self, estimate: Callable[[], float]) -> Reservation:
        """Reserve the likely cost of a call."""
        ...

    def settle(self, reserved: Reservation, cost: float | None) -> None:
        """Replace a reservation by the actual cost."""


def _ignore(event: object) -> None:
    del event


class PromptScheduler:
    """Asks one judge the prompts of a run. Belongs to one run and one event loop."""

    def __init__(
        self,
        judge: JudgeLike,
        *,
        bounds: RateBounds | None = None,
        limits: RateLimiter | None = None,
        budget: CostBudget | None = None,
        emit: EventListener = _ignore,
        recall: Callable[[str], str | None] = recall_nothing,
        flush: Flush | None = None,
        activity: ActivityCounter | None = None,
        combine: bool = False,
    ) -> None:
        """Register with the judge's limits; `close` unregisters.

        `bounds` are those of this run, beside the limits of the judge, or `limits` in their place. `recall` returns
        the stored reply of an interrupted run to the prompt of a key. `activity` counts active measurements in a run
        that asks in batches: there no bounds apply, and no measurement is charged for the time that an answer takes.
        With `combine`, prompts of a test case that wait at the same moment, about the same evidence, are one call.
        """
        self.judge = as_judge(judge)
        self._bounds = RateBounds() if activity is not None else bounds or RateBounds(concurrency=16)
        self._budget = budget or Budget()
        self._activity = activity
        self._groups = PromptGroups(self._answer) if combine else None
        self._limits = limits or (limits_of(self.judge) if activity is None else JudgeLimits())
        self._limits.register(self._bounds)
        self._emit = emit
        self._flush = flush
        self._recall = recall_from(recall, self.judge)
        self._token_estimator = TokenEstimator()
        self._recent: OrderedDict[Prompt[Any], InFlightPrompt] = OrderedDict()
        self._run_wide: dict[Prompt[Any], InFlightPrompt] = {}
        self._refused: AccessRefused | None = None
        self._last_answer = float("-inf")

    def slow_down(self, pause: float | None) -> None:
        """React to an overloaded server, which may ask for a `pause` in seconds."""
        self._limits.slow_down(pause)

    async def ask(
        self, prompt: Prompt[A], case_index: int = -1, wait_log: WaitLog | None = None
    ) -> ScheduledReply:
        """Return the judge's reply to `prompt`, shared with earlier callers of an equal prompt.

        `wait_log` receives the prompts that may have to wait for the judge's limits.

        Raises:
            JudgeError: as raised by the judge. After a refused key every later call fails at once, without being sent.
            RunStopped: the budget is spent, or a batch cannot be fetched.
        """
        cache = self._run_wide if prompt.shared_by_run else self._recent
        in_flight = cache.get(prompt)
        shared = in_flight is not None
        if in_flight is None:
            in_flight = cache[prompt] = InFlightPrompt()
            activity = self._activity
            answer = self._answer if activity is None else partial(self._answer_in_batches, activity)
            asked_for = -1 if prompt.shared_by_run else case_index
            in_flight.task = asyncio.create_task(answer(prompt, in_flight, asked_for))
            self._evict_oldest()
        if wait_log is not None and in_flight.admitted is None:
            wait_log.append((perf_counter(), in_flight))
        try:
            reply = await outcome_of(cast("asyncio.Task[Reply[Any]]", in_flight.task))
        except Exception:
            if cache.get(prompt) is in_flight:  # a failure is not remembered: a later call may succeed
                del cache[prompt]
            raise
        return ScheduledReply(reply, shared)

    def active_measurement(self) -> AbstractContextManager[None]:
        """Count the caller as a measurement that may have prompts to ask; a no-op unless in batches."""
        return nullcontext() if self._activity is None else self._activity.active()

    async def close(self) -> None:
        """Cancel the unfinished tasks, which no caller waits for any more.

        A judge that swallows the cancellation does not hold up the run's end for long.
        """
        prompts = (*self._recent.values(), *self._run_wide.values())
        await cancel_tasks([prompt.task for prompt in prompts if prompt.task is not None])
        self._limits.unregister(self._bounds)

    def _evict_oldest(self) -> None:
        while len(self._recent) > (_MAX_CACHED if self._activity is None else _MAX_CACHED_IN_BATCHES):
            oldest, in_flight = next(iter(self._recent.items()))
            if in_flight.task is None or not in_flight.task.done():
                break
            del self._recent[oldest]

    async def _answer_in_batches(
        self, activity: ActivityCounter, prompt: Prompt[A], in_flight: InFlightPrompt, case_index: int
    ) -> Reply[A]:
        """Answer as a separate active caller; the time it takes does not count for the measurement."""
        with activity.active(key_of(prompt)):
            try:
                return await self._answer(prompt, in_flight, case_index)
            finally:
                in_flight.admitted = perf_counter()

    async def _answer(self, prompt: Prompt[A], in_flight: InFlightPrompt, case_index: int) -> Reply[A]:
        """Return a known reply, or ask the judge once the rate limits admit the call.

        Where prompts are combined, a prompt that shares a call gets its reply from that call. A call that times out
        while the server answers others is retried, with fewer calls in flight.
        """
        start = perf_counter()
        reply = self._recall(prompt)
        if reply is not None:
            in_flight.admitted = start
            self._emit_call(prompt, case_index, start, reply)
            return reply
        if self._groups is not None:
            reply = await self._groups.ask(prompt, in_flight, case_index)
            if reply is not None:
                return reply
        tokens = self._token_estimator.of(prompt) if self._limits.counts_tokens else 0
        first_sent_at: float | None = None
        for attempt in range(_MAX_TIMED_OUT_ATTEMPTS):
            await self._limits.admit(tokens)
            sent_at = perf_counter()
            if self._activity is None:
                in_flight.admit(sent_at)
            first_sent_at = first_sent_at or sent_at
            try:
                return await self._ask_judge(prompt, case_index, tokens)
            except TimedOut as error:
                # A server with a queue full of abandoned calls is silent for one time-out, a dead server for longer.
                if self._last_answer < min(first_sent_at, 2 * sent_at - perf_counter()):
                    raise
                if attempt == _MAX_TIMED_OUT_ATTEMPTS - 1:
                    raise TimedOut(f"{error} {_QUEUEING_HINT}") from error
                self._limits.slow_down()
                in_flight.admit(None)  # the time in the server's queue is not the measurement's
        raise AssertionError

    async def _ask_judge(self, prompt: Prompt[A], case_index: int, tokens: int) -> Reply[A]:
        """Ask the judge within the budget; emit the call, and settle limits and budget in every case."""
        start, usage, succeeded = perf_counter(), NO_USAGE, False
        reserved: Reservation | None = None
        cost: float | None = 0.0
        try:
            self._raise_if_refused()
            reserved = await self._budget.reserve(lambda: self._token_estimator.price(prompt, self.judge))
            reply = await (
                ask_parts(self.judge, prompt)
                if isinstance(prompt, CombinedPrompt)
                else self.judge.ask(prompt)
            )
            if isinstance(reply, Answer):  # a judge of the user's own may return the bare answer
                reply = Reply(cast("A", reply))
            usage, cost, succeeded = reply.usage, reply.cost, True
            self._last_answer = perf_counter()
        except RunStopped:
            raise
        except Exception as error:
            if isinstance(error, AccessRefused):
                self._refused = error
            usage, cost = _spent_on(error)
            self._emit_call(prompt, case_index, start, error)
            raise
        else:
            if self._limits.counts_tokens or self._budget.most is not None:
                self._token_estimator.learn(prompt, usage)
            for part, outcome in replies_to(prompt, reply):
                self._emit_call(part, case_index, start, outcome)
            if self._flush is not None:
                await self._flush()
            return reply
        finally:
            if reserved is not None:
                self._budget.settle(reserved, cost)
            used_tokens = usage.input_tokens + usage.output_tokens
            self._limits.release(reserved=tokens, tokens=used_tokens, calls=usage.calls, succeeded=succeeded)

    def _raise_if_refused(self) -> None:
        if self._refused is not None:
            raise self._refused.with_traceback(None)  # else each raise would add to the traceback

    def _emit_call(
        self, prompt: Prompt[Any], case_index: int, start: float, outcome: Reply[Any] | Exception
    ) -> None:
        reply = outcome if isinstance(outcome, Reply) else None
        self._emit(
            JudgeCalled(
                prompt=type(prompt).__name__,
                judge=self.judge.name,
                usage=outcome.usage if isinstance(outcome, Reply) else _spent_on(outcome)[0],
                cost=reply.cost if reply else None,
                latency_ms=(perf_counter() - start) * 1000,
                error=describe(outcome) if isinstance(outcome, Exception) else None,
                recorded=reply is not None and reply.recorded,
                case_index=case_index,
                exchange=Exchange(prompt, reply) if reply else None,
            )
        )


def _spent_on(error: Exception) -> tuple[Usage, float]:
    if not isinstance(error, JudgeError):
        return NO_USAGE, 0.0
    return error.spent if isinstance(error.spent, Usage) else NO_USAGE, error.cost or 0.0
