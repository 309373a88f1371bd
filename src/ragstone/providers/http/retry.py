"""Retries with full jitter, never before the server allows it and never beyond the total time.

Full jitter (each pause is drawn uniformly from 0 to a bound that doubles) spreads concurrent callers best; see
M. Brooker, "Exponential backoff and jitter", AWS Architecture Blog, 2015.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from math import inf
from random import uniform
from time import monotonic
from typing import NamedTuple, TypeVar

from ragstone.providers.http.failures import OVERLOADED, AttemptFailure, FailureKind

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Retry:
    """How often and how long to retry. Each kind of failure counts on its own: a time-out amid rate limits is one.

    Attributes:
        attempts: most attempts that may fail (5xx), and as many that may lose their connection.
        limited: most attempts where the server limits the rate (429, 529).
        late: most attempts that may time out, as each costs the whole time-out.
        unreached: most attempts at a server that was never reached: its URL is probably wrong. A server that was
            reached before, or that says that it is loading (503), is waited for until `patience` ends.
        base: bound of the first pause in seconds; each further pause has twice the bound.
        cap: largest bound of a pause.
        patience: seconds for one call, attempts and pauses together; no attempt starts after them.
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


class OverloadHook(NamedTuple):
    """Callback for overloads, with the names to report."""

    callback: Callable[[Overload], None] | None
    provider: str
    model: str


class ServerState:
    """Whether a server was ever reached, and whether it is down now.

    While a server that was reached before cannot be reached, or loads its model, one caller probes it with its own
    request and all others wait, rather than each trying for itself.
    """

    def __init__(self) -> None:
        """Start with a server that was not reached yet."""
        self.reached = False
        self._prober: object = None
        self._recovered = asyncio.Event()

    async def attempt(
        self, caller: object, call: Callable[[], Awaitable[T | AttemptFailure]]
    ) -> T | AttemptFailure:
        """Return the outcome of `call`, made once no other caller is probing."""
        while self._prober is not None and self._prober is not caller:
            await self._recovered.wait()
        outcome = await call()
        kind = outcome.kind if isinstance(outcome, AttemptFailure) else None
        self.reached = self.reached or kind is not FailureKind.UNREACHED
        if (
            not isinstance(outcome, AttemptFailure)
            or not outcome.again
            or kind not in _DOWN_KINDS
            or not self.reached
        ):
            self.release(caller)
        elif self._prober is None:
            self._prober = caller
            self._recovered.clear()
        return outcome

    def release(self, caller: object) -> None:
        """Let the other callers go on, if `caller` was probing."""
        if self._prober is caller:
            self._prober = None
            self._recovered.set()


_DOWN_KINDS = frozenset({FailureKind.UNREACHED, FailureKind.LOADING})
_MAX_PROBE_PAUSE_SECONDS = 2.0
"""Most seconds between two probes of a server that is down."""


async def with_retries(
    attempt: Callable[[], Awaitable[T | AttemptFailure]],
    retry: Retry,
    overload: OverloadHook,
    server: ServerState | None = None,
) -> T | AttemptFailure:
    """Return the result of `attempt` once it succeeds, or its last failure, with the history in its message."""
    server, caller = server or ServerState(), object()
    start = monotonic()
    failures: dict[FailureKind, int] = {}
    try:
        while True:
            outcome = await server.attempt(caller, attempt)
            if not isinstance(outcome, AttemptFailure):
                return outcome
            failure_count = failures[outcome.kind] = failures.get(outcome.kind, 0) + 1
            pause = retry.pause(failure_count, outcome.retry_after)
            if outcome.kind in _DOWN_KINDS:
                pause = min(pause, max(_MAX_PROBE_PAUSE_SECONDS, outcome.retry_after or 0.0))
            elapsed = monotonic() - start
            max_attempts = retry.most(outcome, reached=server.reached)
            if failure_count >= max_attempts or elapsed + pause > retry.patience:
                return _with_history(outcome, sum(failures.values()), elapsed)
            if overload.callback and outcome.status in OVERLOADED:
                overload.callback(
                    Overload(
                        overload.provider, overload.model, outcome.status or 0, pause, outcome.retry_after
                    )
                )
            await asyncio.sleep(pause)
    finally:
        server.release(caller)


def _with_history(failure: AttemptFailure, attempts: int, elapsed: float) -> AttemptFailure:
    wait_text = (
        f" (the server asks to wait {failure.retry_after:.0f} s)"
        if failure.again and failure.retry_after
        else ""
    )
    attempts_text = f" ({attempts} attempts in {elapsed:.0f} s)" if attempts > 1 else ""
    return replace(failure, message=f"{failure.message}{wait_text}{attempts_text}")
