"""Retries with full jitter, never before the server allows it and never beyond the total time.

Full jitter (each pause is drawn uniformly from 0 to a bound that doubles) spreads concurrent callers best; see
M. Brooker, "Exponential backoff and jitter", AWS Architecture Blog, 2015.
"""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, replace
from math import inf
from random import uniform
from time import monotonic
from typing import NamedTuple, TypeVar

from ragstone.providers.http.failures import OVERLOADED, AttemptFailure, FailureKind
from ragstone.providers.http.server_state import ServerState, Silence

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Retry:
    """How often and how long to retry. Each kind of failure counts on its own: a time-out amid rate limits is one.

    The numbers of attempts hold while the server answers other calls. A server that answers nobody is waited for
    until `patience` ends, then it is down for the whole run.

    Attributes:
        attempts: most attempts that may fail (5xx), and as many that may lose their connection.
        limited: most attempts where the server limits the rate (429, 529).
        late: most attempts that may time out, as each costs the whole time-out.
        unreached: most attempts at a server that was never reached: its URL is probably wrong.
        base: bound of the first pause in seconds; each further pause has twice the bound.
        cap: largest bound of a pause.
        patience: seconds for one call, attempts and pauses together; no attempt starts after them. Also the seconds
            after which a server that has answered nobody is down.
    """

    attempts: int = 6
    limited: int = 12
    late: int = 2
    unreached: int = 2
    base: float = 0.5
    cap: float = 30.0
    patience: float = 300.0

    def pause(self, failed: int, retry_after: float | None) -> float:
        """Return the seconds to wait after `failed` attempts."""
        jitter = uniform(0.0, min(self.cap, self.base * 2.0 ** (failed - 1)))  # noqa: S311  (spreads load, no secret)
        return jitter + (retry_after or 0.0)

    def most(self, failure: AttemptFailure, *, reached: bool) -> float:
        """Return how many attempts a failure of this kind is worth at a server that was `reached` before or not."""
        match failure.kind:
            case _ if not failure.again:
                return 1
            case FailureKind.LIMITED:
                return self.limited
            case FailureKind.LATE:
                return self.late
            case FailureKind.UNREACHED:
                return inf if reached else self.unreached
            case FailureKind.LOADING:
                return inf
            case _:
                return self.attempts


class Overload(NamedTuple):
    """A server asked to slow down.

    Attributes:
        provider: the vendor.
        model: the model.
        status: 429, 503 or 529.
        pause: seconds that this call now waits.
        retry_after: seconds that the server asked to wait, None if it did not say.
    """

    provider: str
    model: str
    status: int
    pause: float
    retry_after: float | None


class RetryHooks(NamedTuple):
    """Callbacks for overloads and for a server that answers nobody, with the vendor and the model to report."""

    on_overload: Callable[[Overload], None] | None = None
    on_silence: Callable[[Silence], None] | None = None
    provider: str = ""
    model: str = ""

    def report_overload(self, failure: AttemptFailure, pause: float) -> None:
        """Report a failure that asks to slow down."""
        if self.on_overload and failure.status is not None and failure.status in OVERLOADED:
            self.on_overload(Overload(self.provider, self.model, failure.status, pause, failure.retry_after))

    def report_silence(self, server: ServerState, cause: str, limit: float) -> None:
        """Report that a server answers nobody, or that it answers again."""
        if self.on_silence:
            self.on_silence(Silence(self.provider, self.model, server.silence, cause, server.callers, limit))


_MAX_PROBE_PAUSE_SECONDS = 2.0
"""Most seconds between two attempts at a server that answers nobody."""


async def with_retries(
    attempt: Callable[[], Awaitable[T | AttemptFailure]],
    retry: Retry,
    hooks: RetryHooks,
    server: ServerState | None = None,
    key: Hashable = None,
) -> T | AttemptFailure:
    """Return the result of `attempt` once it succeeds, or its last failure, with the history in its message.

    `key` identifies the endpoint with its key, whose refusal holds for all callers.
    """
    server, caller = server or ServerState(), object()
    history = _History(retry, server)
    server.callers += 1
    try:
        while True:
            outcome = await server.attempt(caller, attempt, key)
            if not isinstance(outcome, AttemptFailure):
                if server.take_recovery():
                    hooks.report_silence(server, "", retry.patience)
                return outcome
            pause = history.pause_after(outcome)
            if pause is None:
                return history.final(outcome)
            if server.report_due():
                hooks.report_silence(server, outcome.cause, retry.patience)
            hooks.report_overload(outcome, pause)
            await asyncio.sleep(pause)
    finally:
        server.callers -= 1
        server.release(caller)


class _History:
    """The failed attempts of one call."""

    def __init__(self, retry: Retry, server: ServerState) -> None:
        self._retry = retry
        self._server = server
        self._start = monotonic()
        self._attempts = 0
        self._counts: dict[FailureKind, int] = {}
        self._is_silence_over = False

    def pause_after(self, failure: AttemptFailure) -> float | None:
        """Return the seconds until the next attempt; None if there is none."""
        retry, server = self._retry, self._server
        if failure is server.down:
            return None
        self._attempts += 1
        is_silent = server.is_silent(failure)
        if not is_silent:
            self._counts[failure.kind] = self._counts.get(failure.kind, 0) + 1
        pause = retry.pause(self._counts.get(failure.kind, self._attempts), failure.retry_after)
        if server.needs_probing(failure):
            pause = min(pause, max(_MAX_PROBE_PAUSE_SECONDS, failure.retry_after or 0.0))
        self._is_silence_over = failure.again and server.silence + pause > retry.patience
        if is_silent:
            return None if self._is_silence_over else pause
        most = retry.most(failure, reached=server.reached)
        elapsed = monotonic() - self._start
        is_last = self._counts[failure.kind] >= most or elapsed + pause > retry.patience
        return None if is_last else pause

    def final(self, failure: AttemptFailure) -> AttemptFailure:
        """Return the failure of the call, with its history; a server that answers nobody any more is marked as down."""
        server = self._server
        if failure is server.down:
            return failure
        wait, attempts = failure.retry_after if failure.again else None, ""
        if self._attempts > 1:
            attempts = f" ({self._attempts} attempts in {monotonic() - self._start:.0f} s)"
        wait_text = f" (the server asks to wait {wait:.0f} s)" if wait else ""
        failure = replace(failure, message=f"{failure.message}{wait_text}{attempts}")
        never_reached = failure.kind is FailureKind.UNREACHED and not server.reached
        if self._is_silence_over or (never_reached and failure.again):
            failure = replace(failure, down=not never_reached)
            server.mark_down(failure)
        return failure
