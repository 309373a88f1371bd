"""Rate limits of a judge: calls in flight, calls per minute, tokens per minute. All runs that ask the judge share them.

Several runs, in several event loops and threads, may ask one judge; the strictest bounds of the active runs apply.
Waiting calls are admitted first come, first served, so that no metric and no run is starved.

The number of calls in flight adapts: it is halved when the server is overloaded and grows back by one for each round of
successful calls (additive increase, multiplicative decrease; Chiu and Jain, Computer Networks 17, 1989). A pause that
the server asks for (`Retry-After`) applies to all calls, not only to the one that received it.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from threading import Lock
from time import monotonic
from typing import Any

from ragstone.errors import BadOption

_OVERLOAD_SECONDS = 1.0
"""Seconds within which the reports of several calls count as one overload."""
_BURST_SHARE = 0.02
"""Share of a minute's allowance that may be spent at once; the rest is refilled evenly."""


@dataclass(slots=True)
class TokenBucket:
    """A token bucket that is refilled as time passes.

    The capacity and the refill of one minute add up to `per_minute`, so that no window of a minute exceeds it, wherever
    the server begins to count. The level may become negative, since the tokens of an answer are known late.

    Attributes:
        per_minute: how much may be spent in a minute.
    """

    per_minute: float
    _level: float = field(init=False)
    _time: float | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        """Start with a full bucket."""
        self._level = self.most

    @property
    def most(self) -> float:
        """The capacity: the amount that may be spent at once."""
        return max(min(1.0, self.per_minute), _BURST_SHARE * self.per_minute)

    def wait(self, amount: float, now: float) -> float:
        """Return the seconds until `amount`, or the capacity if that is less, may be spent."""
        self._refill(now)
        lacking = min(amount, self.most) - self._level
        return max(0.0, lacking / self._per_second)

    def spend(self, amount: float, now: float) -> None:
        """Subtract `amount`, even if the level becomes negative; a negative amount is added back."""
        self._refill(now)
        self._level = min(self.most, self._level - amount)

    @property
    def _per_second(self) -> float:
        return max(self.per_minute - self.most, self.per_minute / 2) / 60

    def _refill(self, now: float) -> None:
        if self._time is not None:
            self._level = min(self.most, self._level + max(0.0, now - self._time) * self._per_second)
        self._time = now


@dataclass(frozen=True, kw_only=True)
class RateBounds:
    """The bounds of one run; None where there is none.

    Attributes:
        concurrency: calls in flight at once.
        rpm: calls per minute.
        tpm: tokens per minute, sent and received.
    """

    concurrency: int | None = None
    rpm: float | None = None
    tpm: float | None = None

    def __post_init__(self) -> None:
        """Reject bounds that admit no call."""
        for name, minimum in (("concurrency", 1), ("rpm", 0), ("tpm", 0)):
            value: float | None = getattr(self, name)
            if value is not None and (value < minimum or value == 0):
                raise BadOption(f"{name}={value!r} allows no calls: give a number above 0, or leave it out")


class JudgeLimits:
    """The limits of one judge. Safe for threads and event loops.

    Attributes:
        own: the bounds that always apply.
        peak: most calls that were in flight at once.
    """

    def __init__(
        self, *, concurrency: int | None = None, rpm: float | None = None, tpm: float | None = None
    ) -> None:
        """Bound the calls, in addition to the bounds of each run.

        Raises:
            BadOption: a bound admits no call.
        """
        self.own = RateBounds(concurrency=concurrency, rpm=rpm, tpm=tpm)
        self.peak = 0
        self._lock = Lock()
        self._active_bounds: list[RateBounds] = [self.own]
        self._waiting: deque[_Waiter] = deque()
        self._in_flight = 0
        self._window = float("inf")
        self._paused_until = self._halved_at = float("-inf")
        self._timer_at: float | None = None
        self._calls: TokenBucket | None = None
        self._tokens: TokenBucket | None = None
        self._update_bounds()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the bounds alone."""
        return partial(JudgeLimits, **asdict(self.own)), ()

    def register(self, bounds: RateBounds) -> None:
        """Apply the bounds of a run that begins."""
        with self._lock:
            self._active_bounds.append(bounds)
            self._update_bounds()

    def unregister(self, bounds: RateBounds) -> None:
        """Drop the bounds of a run that has ended."""
        with self._lock:
            self._active_bounds.remove(bounds)
            self._update_bounds()
            self._admit_waiting()

    @property
    def counts_tokens(self) -> bool:
        """Whether tokens are bounded, so that they must be estimated before a call."""
        return self._tokens is not None

    async def admit(self, tokens: int = 0) -> None:
        """Wait until a call that may take `tokens` is admitted. Each admission ends with `release`."""
        with self._lock:
            if not self._waiting and self._delay(tokens) == 0:
                self._record_admission(tokens)
                return
            waiter = _Waiter(asyncio.get_running_loop(), tokens)
            self._waiting.append(waiter)
            self._admit_waiting()
        try:
            await waiter.turn
        except BaseException:
            self._withdraw(waiter)
            raise

    def release(self, *, reserved: int = 0, tokens: int = 0, calls: int = 1, succeeded: bool = True) -> None:
        """End an admitted call, and admit the next one.

        Args:
            reserved: the tokens it was admitted with.
            tokens: the tokens it took.
            calls: requests that were made, re-asks included.
            succeeded: whether it was answered.
        """
        with self._lock:
            self._in_flight -= 1
            now = monotonic()
            if self._calls is not None and calls > 1:
                self._calls.spend(calls - 1, now)
            if self._tokens is not None:
                self._tokens.spend(tokens - reserved, now)
            if succeeded and self._window < self._limit:
                self._window = min(self._limit, self._window + 1 / self._window)
            self._admit_waiting()

    def slow_down(self, pause: float | None = None) -> None:
        """Halve the calls in flight, once per overload, and hold all calls for `pause` seconds."""
        with self._lock:
            now = monotonic()
            if pause is not None:
                self._paused_until = max(self._paused_until, now + pause)
            if self._calls is not None:
                self._calls.spend(1, now)  # the rejected call will be made again
            if now - self._halved_at >= _OVERLOAD_SECONDS:
                self._halved_at = max(now, self._paused_until)
                self._window = max(1.0, min(self._window, self._in_flight) / 2)

    def _update_bounds(self) -> None:
        self._limit = self._strictest("concurrency") or float("inf")
        self._window = self._limit if self._halved_at == float("-inf") else min(self._window, self._limit)
        self._calls = _bucket(self._strictest("rpm"), self._calls)
        self._tokens = _bucket(self._strictest("tpm"), self._tokens)

    def _strictest(self, name: str) -> float | None:
        values = (getattr(bounds, name) for bounds in self._active_bounds)
        return min((value for value in values if value is not None), default=None)

    def _delay(self, tokens: int) -> float | None:
        """Return the seconds until a call may be made; None where another call has to end first."""
        if self._in_flight + 1 > max(1.0, self._window):
            return None
        now = monotonic()
        delay = max(0.0, self._paused_until - now)
        if self._calls is not None:
            delay = max(delay, self._calls.wait(1, now))
        if self._tokens is not None:
            delay = max(delay, self._tokens.wait(tokens, now))
        return delay

    def _record_admission(self, tokens: int) -> None:
        self._in_flight += 1
        self.peak = max(self.peak, self._in_flight)
        if self._calls is not None:
            self._calls.spend(1, monotonic())
        if self._tokens is not None:
            self._tokens.spend(tokens, monotonic())

    def _admit_waiting(self) -> None:
        """Admit waiting calls in order; set a timer if the next one must only wait for time to pass."""
        while self._waiting:
            waiter = self._waiting[0]
            delay = self._delay(waiter.tokens)
            if delay is None:
                return
            if delay > 0:
                self._set_timer(delay, waiter)
                return
            self._waiting.popleft()
            if waiter.call():
                self._record_admission(waiter.tokens)

    def _set_timer(self, delay: float, waiter: "_Waiter") -> None:
        now = monotonic()
        if self._timer_at is not None and now < self._timer_at <= now + delay:
            return
        self._timer_at = now + delay
        if not waiter.later(delay, self._on_timer):
            self._timer_at = None

    def _on_timer(self) -> None:
        with self._lock:
            self._timer_at = None
            self._admit_waiting()

    def _withdraw(self, waiter: "_Waiter") -> None:
        """Release the admission of a cancelled call, or remove it from the queue."""
        with self._lock:
            if waiter.called:
                self._in_flight -= 1
            elif waiter in self._waiting:
                self._waiting.remove(waiter)
            self._timer_at = None  # the timer may be in the loop of this waiter
            self._admit_waiting()


class _Waiter:
    def __init__(self, loop: asyncio.AbstractEventLoop, tokens: int) -> None:
        self.tokens = tokens
        self.turn: asyncio.Future[None] = loop.create_future()
        self.called = False
        self._loop = loop

    def call(self) -> bool:
        """Admit the call; return False where its event loop is closed."""
        self.called = self._run(lambda: None if self.turn.done() else self.turn.set_result(None))
        return self.called

    def later(self, delay: float, action: Callable[[], None]) -> bool:
        """Run `action` in `delay` seconds; return False where the event loop is closed."""
        return self._run(lambda: self._loop.call_later(delay, action))

    def _run(self, action: Callable[[], object]) -> bool:
        with suppress(RuntimeError):  # no event loop runs here
            if asyncio.get_running_loop() is self._loop:
                action()
                return True
        with suppress(RuntimeError):  # the event loop is closed
            self._loop.call_soon_threadsafe(action)
            return True
        return False


def _bucket(per_minute: float | None, old: TokenBucket | None) -> TokenBucket | None:
    """Return a bucket of that size; the old one if the size is unchanged, since its level counts past calls."""
    if per_minute is None:
        return None
    return old if old is not None and old.per_minute == per_minute else TokenBucket(per_minute)
