"""Ask again, within bounds: with full jitter, never sooner than the server asks, never past one's patience.

Full jitter (each pause drawn evenly from 0 to a bound that doubles) spreads a crowd of callers best; see
M. Brooker, "Exponential backoff and jitter", AWS Architecture Blog, 2015.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from random import uniform
from time import monotonic
from typing import NamedTuple, TypeVar

from ragstone.providers.http.failures import OVERLOADED, AttemptFailure, FailureKind

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Retry:
    """How often, and how long, to ask again. Each kind of fault counts on its own: a stall amid rate limits is one.

    Attributes:
        attempts: most attempts that may fail (5xx), and as many that may lose their connection.
        limited: most attempts where the server limits the rate (429, 529): it works, and a place will come free.
        late: most attempts that may run into the time-out, since each costs the whole of it.
        unreached: most attempts at a server that has never answered yet: it is more likely absent than busy.
        base: bound of the first pause in seconds; each further pause has twice the bound.
        cap: longest bound of a pause of our own choosing.
        patience: seconds for one call, attempts and pauses together; no attempt begins after them.
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
        own = uniform(0.0, min(self.cap, self.base * 2.0 ** (failed - 1)))  # noqa: S311  (spreads load, hides nothing)
        return own + (retry_after or 0.0)

    def most(self, failure: AttemptFailure, *, known: bool) -> int:
        """Return how many attempts a fault of this kind is worth; `known` servers have answered before."""
        match failure.kind:
            case _ if not failure.again:
                return 1
            case FailureKind.LIMITED:
                return self.limited
            case FailureKind.LATE:
                return self.late
            case FailureKind.UNREACHED if not known:
                return self.unreached
            case _:
                return self.attempts


class Overload(NamedTuple):
    """A server asked to slow down.

    Attributes:
        provider: the vendor.
        model: the model.
        status: 429, 503 or 529.
        pause: seconds that this call now waits.
        told: seconds that the server asked for, None where it did not say.
    """

    provider: str
    model: str
    status: int
    pause: float
    told: float | None


class OverloadHook(NamedTuple):
    """Whom an overload is told, and by which names."""

    hook: Callable[[Overload], None] | None
    provider: str
    model: str


async def with_retries(
    attempt: Callable[[], Awaitable[T | AttemptFailure]],
    retry: Retry,
    told: OverloadHook,
    known: Callable[[], bool] = lambda: True,
) -> T | AttemptFailure:
    """Return what `attempt` returns once it succeeds, or its last fault, with its history in the message."""
    begin = monotonic()
    failed: Counter[FailureKind] = Counter()
    while True:
        outcome = await attempt()
        if not isinstance(outcome, AttemptFailure):
            return outcome
        failed[outcome.kind] += 1
        pause = retry.pause(failed[outcome.kind], outcome.retry_after)
        spent = monotonic() - begin
        if failed[outcome.kind] >= retry.most(outcome, known=known()) or spent + pause > retry.patience:
            return _with_history(outcome, failed.total(), spent)
        if told.hook and outcome.status in OVERLOADED:
            told.hook(Overload(told.provider, told.model, outcome.status or 0, pause, outcome.retry_after))
        await asyncio.sleep(pause)


def _with_history(failure: AttemptFailure, failed: int, spent: float) -> AttemptFailure:
    wait = (
        f" (the server asks to wait {failure.retry_after:.0f} s)"
        if failure.again and failure.retry_after
        else ""
    )
    times = f" (asked {failed} times in {spent:.0f} s)" if failed > 1 else ""
    return replace(failure, message=f"{failure.message}{wait}{times}")
