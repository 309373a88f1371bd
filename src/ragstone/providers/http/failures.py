"""What went wrong with one attempt, in words for a person, and whether asking again can help.

The server's own words are kept, since they say it best, but they are untrusted: control characters and escape
sequences are taken out, what is long is cut, and secrets are masked even where the server repeats them.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import Enum
from typing import Any, cast

from ragstone.errors import AccessRefused, ProviderError, TimedOut
from ragstone.result import Usage

OVERLOADED = frozenset({429, 503, 529})
"""Statuses by which a server asks everybody to slow down."""

_LIMITED = frozenset({429, 529})
_TRANSIENT = OVERLOADED | {408, 500, 502, 504, 520, 521, 522, 523, 524}
_REFUSED = frozenset({401, 403})
_OUT_OF_CREDIT = frozenset(
    {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "credit_balance_too_low"}
)

_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-_])")
_INVISIBLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]+")
_KEY_LIKE = re.compile(r"\b(?:sk|pk|rk|key)-[\w*.-]{6,}|(?i:\bBearer\s+)[\w.~+/*-]{6,}=*")
_LONGEST = 300


class FailureKind(Enum):
    """How far an attempt came."""

    UNREACHED = "no connection"
    BROKEN = "connection lost"
    LATE = "no answer in time"
    LIMITED = "the server limits the rate"
    ANSWERED = "an answer that is no success"


@dataclass(frozen=True, slots=True)
class AttemptFailure:
    """One attempt that failed.

    Attributes:
        kind: how far it came.
        message: what happened, where; without a full stop.
        again: whether asking again can help.
        status: HTTP status, None where there was no answer.
        retry_after: seconds that the server asked to wait.
        parameter: the part of the request that the server names as wrong.
        words: what the server said, cleaned.
    """

    kind: FailureKind
    message: str
    again: bool = True
    status: int | None = None
    retry_after: float | None = None
    parameter: str | None = None
    words: str = ""

    def error(self, history: str = "") -> ProviderError | TimedOut:
        """Return the exception to raise; `history` says how often was asked."""
        message = f"{self.message}{history}"
        if self.kind is FailureKind.LATE:
            return TimedOut(message)
        kind = AccessRefused if self.status in _REFUSED else ProviderError
        return kind(message, status=self.status, retry_after=self.retry_after)


def failure_from_response(
    where: str, status: int, headers: Mapping[str, str], body: bytes, secrets: tuple[str, ...] = ()
) -> AttemptFailure:
    """Return what an answer other than success means."""
    said = _ErrorBody.read(body, secrets)
    words = said.words
    if 300 <= status < 400:  # noqa: PLR2004  (the redirections)
        to = clean(headers.get("Location", "nowhere"), secrets)
        words = f"a redirection to {to}; keys do not follow redirections: write that address as the base URL"
    return failure_from_status(
        where, status, words, pause=parse_retry_after(headers), code=said.code, parameter=said.parameter
    )


def failure_from_status(
    where: str,
    status: int,
    words: str,
    *,
    pause: float | None = None,
    code: str | None = None,
    parameter: str | None = None,
) -> AttemptFailure:
    """Return what a status other than success means; `words` are clean already."""
    message = f"{where} answered {status}" + (f": {words}" if words else "")
    if status in _REFUSED:
        message += " Check the key and what it is allowed to do."
    return AttemptFailure(
        FailureKind.LIMITED if status in _LIMITED else FailureKind.ANSWERED,
        message,
        again=status in _TRANSIENT and code not in _OUT_OF_CREDIT,
        status=status,
        retry_after=pause,
        parameter=parameter,
        words=words,
    )


def unusable_answer(message: str, spent: Usage) -> ProviderError:
    """Return the error for a call that was answered, and is to be paid, but holds no answer."""
    error = ProviderError(message)
    error.spent = spent
    return error


def clean(text: str, secrets: tuple[str, ...] = ()) -> str:
    """Return untrusted words as one short line that shows no secret and commands no terminal."""
    line = " ".join(_INVISIBLE.sub(" ", _ESCAPE.sub("", text[:20_000])).split())
    for secret in sorted(secrets, key=len, reverse=True):
        line = line.replace(secret, "***")
    line = _KEY_LIKE.sub("***", line)
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1].rstrip()}…"


def parse_retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Return the seconds that the server asks to wait: `retry-after-ms`, or `Retry-After` in either form."""
    exact = _number(headers.get("retry-after-ms"))
    if exact is not None:
        return exact / 1000
    text = headers.get("Retry-After")
    seconds = _number(text)
    if seconds is not None or not text:
        return seconds
    until = _date(text)
    # The server's own clock, where it tells it, so that ours may be wrong.
    since = _date(headers.get("Date")) or now or datetime.now(UTC)
    return None if until is None else max(0.0, (until - since).total_seconds())


def _number(text: str | None) -> float | None:
    return float(text) if text and re.fullmatch(r"\s*\d{1,9}(\.\d{1,9})?\s*", text) else None


def _date(text: str | None) -> datetime | None:
    try:
        found = parsedate_to_datetime(text or "")
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class _ErrorBody:
    """What servers say in the body of an error, in the shapes that are around."""

    words: str
    parameter: str | None = None
    code: str | None = None

    @classmethod
    def read(cls, body: bytes, secrets: tuple[str, ...]) -> "_ErrorBody":
        text = body.decode("utf-8", "replace")
        found = _error_object(text)
        if found is None:
            return cls(clean(re.sub(r"<style.*?</style>|<[^>]*>", " ", text, flags=re.DOTALL), secrets))
        message = next(
            (found[name] for name in ("message", "detail", "error", "msg") if found.get(name)), text
        )
        parameter, code = found.get("param"), found.get("code") or found.get("type")
        return cls(
            clean(str(message), secrets),
            parameter if isinstance(parameter, str) else None,
            code if isinstance(code, str) else None,
        )


def _error_object(text: str) -> dict[str, Any] | None:
    """Return the object that tells of the error: that under `error`, or the whole, or the first of a list."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, list) and value:
        value = cast("list[object]", value)[0]
    if not isinstance(value, dict):
        return None
    whole = cast("dict[str, Any]", value)
    inner = whole.get("error")
    return cast("dict[str, Any]", inner) if isinstance(inner, dict) else whole
