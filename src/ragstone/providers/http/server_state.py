"""What a run knows of one server: whether it was reached, whether it answers, and how long it has not.

All calls of a run share the state, so that the decision that a server is down is made once:

    a server is silent          from the first failed attempt after its last answer
    one caller asks alone       in the first seconds, and while the server cannot be reached, loads, or is replaced
                                by its gateway's error page; the others wait
    nobody gives up             while the server answers nobody and the failures are the server's, not a prompt's
    the server is down          once it was silent for `Retry.patience` seconds: every call fails at once, and one
                                attempt each few seconds looks whether it is back
"""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from time import monotonic
from typing import NamedTuple, TypeVar

from ragstone.providers.http.failures import ACCESS_REFUSED, GATEWAY, AttemptFailure, FailureKind

T = TypeVar("T")

_DOWN_KINDS = frozenset({FailureKind.UNREACHED, FailureKind.LOADING})
_PROBING_AFTER_SECONDS = 5.0
"""Seconds of silence after which a gateway's error page means that the server behind it is down."""

_DOWN_PAUSE_SECONDS = 5.0
"""Seconds between two attempts at a server that is down."""

_SILENT_CALLERS = 3
"""Callers whose failures, without an answer to anybody between them, are the server's, not their prompts'."""

_FIRST_CALL_SECONDS = 3.0
"""Seconds for which the other calls wait for the first: a refusal of the key comes sooner, a slow answer later."""

_REPORT_AFTER_SECONDS = 10.0
_REPORT_EVERY_SECONDS = 2.0


class Silence(NamedTuple):
    """A server has not answered for `seconds`, 0 once it answers again; after `limit` seconds it counts as down.

    `waiting` calls wait; `cause` is the last failure in a few words, such as `503`.
    """

    provider: str
    model: str
    seconds: float
    cause: str
    waiting: int
    limit: float


class ServerState:
    """The state of one server, for the calls of one event loop; `down` is what every call gets while it is down."""

    def __init__(self) -> None:
        self.reached = False
        self.callers = 0
        self._asked = False
        self._prober: object = None
        self._recovered = asyncio.Event()
        self._silent_since: float | None = None
        self._silent_callers: set[object] = set()
        self._past_silence = 0.0
        self.down: AttemptFailure | None = None
        self._next_probe = 0.0
        self._accepted: set[Hashable] = set()
        self._refused: dict[Hashable, AttemptFailure] = {}
        self._reported_at = float("-inf")

    async def attempt(
        self, caller: object, call: Callable[[], Awaitable[T | AttemptFailure]], key: Hashable = None
    ) -> T | AttemptFailure:
        """Return the outcome of `call`, made once no other caller asks alone.

        `key` identifies the endpoint with its key, whose refusal holds for all callers.
        """
        while self._prober is not None and self._prober is not caller:
            await self._recovered.wait()
        if self.down is not None and monotonic() < self._next_probe:
            return self.down
        if key in self._refused:
            return self._refused[key]
        if not (self._asked or self.reached):
            self._probe(caller)
            asyncio.get_running_loop().call_later(_FIRST_CALL_SECONDS, self.release, caller)
        began = monotonic()
        outcome = await call()
        self._record(caller, outcome, began, key)
        return outcome

    def release(self, caller: object) -> None:
        """Let the other callers go on, if `caller` asked alone."""
        if self._prober is caller:
            self._prober = None
            self._recovered.set()

    @property
    def silence(self) -> float:
        """Seconds for which the server has answered nobody; 0 if its last response was an answer."""
        return 0.0 if self._silent_since is None else monotonic() - self._silent_since

    @property
    def total_silence(self) -> float:
        """Seconds of all silences so far."""
        return self._past_silence + self.silence

    def is_silent(self, failure: AttemptFailure) -> bool:
        """Return whether a failure is the server's: it is down, or several callers fail and nobody is answered.

        A late answer may be the prompt's fault, or that of too many calls in flight: it has few attempts in any case.
        """
        if not failure.again or failure.kind is FailureKind.LATE:
            return False
        return self.needs_probing(failure) or len(self._silent_callers) >= _SILENT_CALLERS

    def mark_down(self, failure: AttemptFailure) -> None:
        """Fail the calls of the next seconds at once, with `failure`."""
        self.down, self._next_probe = failure, monotonic() + _DOWN_PAUSE_SECONDS

    def report_due(self) -> bool:
        """Return whether the silence is to be reported now."""
        now = monotonic()
        if self.silence < _REPORT_AFTER_SECONDS or now - self._reported_at < _REPORT_EVERY_SECONDS:
            return False
        self._reported_at = now
        return True

    def take_recovery(self) -> bool:
        """Return, once, whether the server answers again after a silence that was reported."""
        recovered = self._silent_since is None and self._reported_at > float("-inf")
        if recovered:
            self._reported_at = float("-inf")
        return recovered

    def needs_probing(self, failure: AttemptFailure) -> bool:
        """Return whether a failure means that one caller asks alone from now on."""
        if failure.kind in _DOWN_KINDS:
            return self.reached
        return failure.status in GATEWAY and self.silence > _PROBING_AFTER_SECONDS

    def _probe(self, caller: object) -> None:
        self._prober, self._asked = caller, True
        self._recovered.clear()

    def _record(self, caller: object, outcome: object, began: float, key: Hashable) -> None:
        failure = outcome if isinstance(outcome, AttemptFailure) else None
        self.reached = self.reached or failure is None or failure.kind is not FailureKind.UNREACHED
        if failure is not None and failure.again:
            self._silent_since = began if self._silent_since is None else self._silent_since
            self._silent_callers.add(caller)
            if not self.needs_probing(failure):
                self.release(caller)
            elif self._prober is None:
                self._probe(caller)
            return
        self._past_silence += self.silence
        self._silent_since, self.down = None, None
        self._silent_callers.clear()
        if failure is None:
            self._accepted.add(key)
        elif failure.status in ACCESS_REFUSED and key not in self._accepted:
            self._refused[key] = failure
        self.release(caller)
