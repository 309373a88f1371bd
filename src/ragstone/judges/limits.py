"""What may be asked of a judge at once and in a minute. Belongs to the judge: all who ask it share its limits.

Several runs, in several event loops and threads, may ask one judge; the strictest wish of those who are asking counts.
Whoever has to wait is served in the order of coming, so no metric and no run is starved.

The number of calls in flight adapts: it is halved when the server asks to slow down and grows back by one for each
round of calls that went well (additive increase, multiplicative decrease; Chiu and Jain, Computer Networks 17, 1989). A
pause that the server asks for (`Retry-After`) is kept by all calls, not only by the one that was told.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from time import monotonic
from typing import Any

from ragstone.errors import BadOption
from ragstone.judges.token_bucket import TokenBucket

_SAME_OVERLOAD = 1.0
"""Seconds within which several calls tell of one and the same overload."""


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """What one who asks wishes; None where there is no bound.

    Attributes:
        concurrency: calls in flight at once.
        rpm: calls a minute.
        tpm: tokens a minute, sent and received.
    """

    concurrency: int | None = None
    rpm: float | None = None
    tpm: float | None = None

    def __post_init__(self) -> None:
        """Refuse bounds that let nothing through."""
        for name, least in (("concurrency", 1), ("rpm", 0), ("tpm", 0)):
            value: float | None = getattr(self, name)
            if value is not None and (value < least or value == 0):
                raise BadOption(
                    f"{name}={value!r} lets no call through: write a number above 0, or leave it out"
                )


class Limits:
    """The limits of one judge. Safe for threads and event loops.

    Attributes:
        own: the bounds that hold whoever asks.
        peak: most calls that were in flight at once.
    """

    def __init__(
        self, *, concurrency: int | None = None, rpm: float | None = None, tpm: float | None = None
    ) -> None:
        """Bound the calls, on top of what those who ask wish.

        Raises:
            BadOption: a bound lets nothing through.
        """
        self.own = Bounds(concurrency=concurrency, rpm=rpm, tpm=tpm)
        self.peak = 0
        self._lock = Lock()
        self._registered: list[Bounds] = [self.own]
        self._waiting: deque[_Waiter] = deque()
        self._in_flight = 0
        self._window = float("inf")
        self._paused_until = self._halved = float("-inf")
        self._timer_at: float | None = None
        self._bound()

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel to another process as bounds; who waits stays behind."""
        return _make, (self.own,)

    def register(self, bounds: Bounds) -> None:
        """Heed the wishes of one who is going to ask."""
        with self._lock:
            self._registered.append(bounds)
            self._bound()

    def unregister(self, bounds: Bounds) -> None:
        """Forget the wishes of one who asks no more."""
        with self._lock:
            self._registered.remove(bounds)
            self._bound()
            self._admit_waiting()

    @property
    def counts_tokens(self) -> bool:
        """Whether tokens are bounded, so that they must be estimated before a call."""
        return self._tokens is not None

    async def admit(self, tokens: int = 0) -> None:
        """Wait for one's turn to make a call that may take `tokens`. Each admission ends with `release`."""
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
        """Tell what a call took in the end, and let the next one through.

        Args:
            reserved: the tokens that it was admitted with.
            tokens: the tokens that it took.
            calls: calls that were made, re-asks included.
            succeeded: whether it was answered.
        """
        with self._lock:
            self._in_flight -= 1
            now = monotonic()
            if self._calls is not None and calls > 1:
                self._calls.spend(calls - 1, now)
            if self._tokens is not None:
                self._tokens.spend(tokens - reserved, now)
            if succeeded and self._window < self._most:
                self._window = min(self._most, self._window + 1 / self._window)
            self._admit_waiting()

    def slow_down(self, pause: float | None = None) -> None:
        """Halve the calls in flight, once an overload, and pause all calls for the seconds that the server asks for."""
        with self._lock:
            now = monotonic()
            if pause is not None:
                self._paused_until = max(self._paused_until, now + pause)
            if self._calls is not None:
                self._calls.spend(1, now)  # the call that was turned down will be made again
            if now - self._halved >= _SAME_OVERLOAD:
                self._halved = max(now, self._paused_until)
                self._window = max(1.0, min(self._window, self._in_flight) / 2)

    def _bound(self) -> None:
        """Work out the strictest of all wishes."""
        self._most = _strictest(wish.concurrency for wish in self._registered) or float("inf")
        self._window = self._most if self._halved == float("-inf") else min(self._window, self._most)
        self._calls = _bucket(
            _strictest(wish.rpm for wish in self._registered), getattr(self, "_calls", None)
        )
        self._tokens = _bucket(
            _strictest(wish.tpm for wish in self._registered), getattr(self, "_tokens", None)
        )

    def _delay(self, tokens: int) -> float | None:
        """Return the seconds until a call may be made; None where that depends on another's end."""
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
        """Let through who may pass, in the order of coming; where time alone is lacking, look again then."""
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
        """Let go of the turn, or the place in the queue, of one who was cancelled."""
        with self._lock:
            if waiter.called:
                self._in_flight -= 1
            elif waiter in self._waiting:
                self._waiting.remove(waiter)
            self._timer_at = None  # the timer may have been this one's
            self._admit_waiting()


class _Waiter:
    """One who waits for a turn, in an event loop of their own."""

    def __init__(self, loop: asyncio.AbstractEventLoop, tokens: int) -> None:
        self.tokens = tokens
        self.turn: asyncio.Future[None] = loop.create_future()
        self.called = False
        self._loop = loop

    def call(self) -> bool:
        """Tell that it is their turn; False where nobody is there to hear it."""
        self.called = self._tell(self._pass)
        return self.called

    def later(self, delay: float, action: Callable[[], None]) -> bool:
        """Have `action` done in `delay` seconds; False where nobody is there to do it."""
        return self._tell(lambda: self._loop.call_later(delay, action))

    def _tell(self, action: Callable[[], object]) -> bool:
        if _running() is self._loop:
            action()
            return True
        try:
            self._loop.call_soon_threadsafe(action)
        except RuntimeError:  # the event loop is closed
            return False
        return True

    def _pass(self) -> None:
        if not self.turn.done():
            self.turn.set_result(None)


def _running() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def _strictest(values: Any) -> float | None:  # noqa: ANN401  (numbers, some None)
    return min((value for value in values if value is not None), default=None)


def _bucket(per_minute: float | None, old: TokenBucket | None) -> TokenBucket | None:
    """Return a bucket of that size; the old one where it has it, since what it holds was spent by somebody."""
    if per_minute is None:
        return None
    return old if old is not None and old.per_minute == per_minute else TokenBucket(per_minute)


def _make(own: Bounds) -> Limits:
    return Limits(concurrency=own.concurrency, rpm=own.rpm, tpm=own.tpm)
