"""Why an attempt failed, as a readable message, and whether a retry can help.

The server's own message is kept, but it is untrusted: it is cut before it is parsed, control characters and escape
sequences are removed, and secrets are masked wherever the server repeats them. All of it takes linear time.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import Enum
from functools import lru_cache
from typing import Any, TypeVar, cast
from urllib.parse import quote

from pydantic import BaseModel, ValidationError

from ragstone.errors import AccessRefused, JudgeDown, ProviderError, TimedOut
from ragstone.result import Usage

M = TypeVar("M", bound=BaseModel)

OVERLOADED = frozenset({429, 503, 529})
"""Statuses with which a server asks all clients to slow down."""

_RATE_LIMITED = frozenset({429, 529})
_TRANSIENT = OVERLOADED | {408, 500, 502, 504, 520, 521, 522, 523, 524}
ACCESS_REFUSED = frozenset({401, 403})
GATEWAY = frozenset({502, 503, 504, 520, 521, 522, 523, 524})
"""Statuses with which a gateway says that it gets no answer from the server behind it."""

_OUT_OF_CREDIT_CODES = frozenset(
    {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "credit_balance_too_low"}
)

_ESCAPE_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-_])")
_INVISIBLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]+")
_KEY_LIKE = re.compile(r"\b(?:sk|pk|rk|key)-[\w*.-]{6,}|(?i:\bBearer\s+)[\w.~+/*-]{6,}=*")
_STARTING_WORDS = re.compile(r"(?i)\b(?:loading|starting|warming|initiali[sz]ing)\b")
_MAX_MESSAGE_LENGTH = 300
_MAX_READ_LENGTH = 20_000
"""Most characters of a server's text that are processed."""


class FailureKind(Enum):
    """How far an attempt got."""

    UNREACHED = "no connection"
    BROKEN = "connection lost"
    LATE = "no answer in time"
    LIMITED = "the server limits the rate"
    LOADING = "the server is starting"
    ANSWERED = "an error response"


@dataclass(frozen=True, slots=True)
class AttemptFailure:
    """A failed attempt.

    `message` says what happened and where, without a full stop; `words` is the server's own message, cleaned. `again`
    is whether a retry can help, `parameter` what the server names as invalid, `down` that it answers nobody any more.
    """

    kind: FailureKind
    message: str
    again: bool = True
    status: int | None = None
    retry_after: float | None = None
    parameter: str | None = None
    words: str = ""
    down: bool = False

    @property
    def cause(self) -> str:
        """The failure in a few words."""
        return self.kind.value if self.status is None else str(self.status)

    def error(self) -> ProviderError | TimedOut:
        """Return the exception to raise."""
        if self.kind is FailureKind.LATE and not self.down:
            return TimedOut(self.message)
        error_type = AccessRefused if self.status in ACCESS_REFUSED else ProviderError
        error_type = JudgeDown if self.down else error_type
        return error_type(self.message, status=self.status, retry_after=self.retry_after)


def failure_from_response(
    where: str, status: int, headers: Mapping[str, str], body: bytes, secrets: tuple[str, ...] = ()
) -> AttemptFailure:
    """Return the failure that a response other than 200 means."""
    words, code, parameter = _read_error(body, secrets)
    if 300 <= status < 400:  # noqa: PLR2004  (the redirections)
        target = clean(headers.get("Location", "nowhere"), secrets)
        words = (
            f"a redirection to {target}. Redirections are not followed, so that keys are not sent to other hosts: "
            "set that address as the base URL"
        )
    pause = parse_retry_after(headers)
    return failure_from_status(where, status, words, pause=pause, code=code, parameter=parameter)


def failure_from_status(
    where: str,
    status: int,
    words: str,
    *,
    pause: float | None = None,
    code: str | None = None,
    parameter: str | None = None,
) -> AttemptFailure:
    """Return the failure that a status other than 200 means; `words` must be cleaned."""
    message = f"{where} answered {status}" + (f": {words}" if words else "")
    if status in ACCESS_REFUSED:
        message += " Check the key and its permissions."
    kind = FailureKind.LIMITED if status in _RATE_LIMITED else FailureKind.ANSWERED
    if status == 503 and _STARTING_WORDS.search(words):  # noqa: PLR2004  (service unavailable)
        kind = FailureKind.LOADING
    return AttemptFailure(
        kind,
        message,
        again=status in _TRANSIENT and code not in _OUT_OF_CREDIT_CODES,
        status=status,
        retry_after=pause,
        parameter=parameter,
        words=words,
    )


def unusable_answer(
    message: str, spent: Usage, partial: str | None = None, server: str = ""
) -> ProviderError:
    """Return the error for a response without an answer, whose tokens are charged nevertheless.

    `partial` is the beginning of an answer that was cut off at its limit of tokens.
    """
    error = ProviderError(message)
    error.spent, error.partial, error.server = spent, partial, server
    return error


def read_response(kind: type[M], body: bytes, name: str, expected: str, secrets: tuple[str, ...] = ()) -> M:
    """Return the body of a response, JSON, as the vendor's value; `name` and `expected` are for the message.

    Raises:
        ProviderError: the body is something else.
    """
    try:
        return kind.model_validate_json(body)
    except ValidationError as error:
        body_excerpt = excerpt(body, secrets)
        raise ProviderError(f"{name}: the answer is not a {expected}: {body_excerpt!r}") from error


def clean(text: str, secrets: tuple[str, ...] = ()) -> str:
    """Return untrusted text as one short line without secrets, control characters and escape sequences."""
    line = mask(_beginning(text, secrets), secrets)
    line = " ".join(_INVISIBLE.sub(" ", _ESCAPE_SEQUENCE.sub("", line)).split())
    line = _KEY_LIKE.sub("***", mask(line, secrets))
    return line if len(line) <= _MAX_MESSAGE_LENGTH else f"{line[: _MAX_MESSAGE_LENGTH - 1].rstrip()}…"


def excerpt(body: bytes, secrets: tuple[str, ...] = ()) -> str:
    """Return the beginning of a response's body, cleaned."""
    return clean(_decoded(body), secrets)


def mask(text: str, secrets: tuple[str, ...]) -> str:
    """Return the text with `***` for each secret, also where it is escaped as in JSON or in a URL."""
    for form in _secret_forms(secrets):
        text = text.replace(form, "***")
    return text


@lru_cache(64)
def _secret_forms(secrets: tuple[str, ...]) -> tuple[str, ...]:
    forms = {
        form for secret in secrets for form in (secret, json.dumps(secret)[1:-1], quote(secret, safe=""))
    }
    return tuple(sorted(forms, key=len, reverse=True))


def _decoded(body: bytes) -> str:
    return body[: 4 * _MAX_READ_LENGTH].decode("utf-8", "replace")  # no character has more than four bytes


def _beginning(text: str, secrets: tuple[str, ...]) -> str:
    """Return the beginning of a text, cut to `_MAX_READ_LENGTH`; a secret that the cut divides is left out."""
    if len(text) <= _MAX_READ_LENGTH:
        return text
    text = text[:_MAX_READ_LENGTH]
    for form in _secret_forms(secrets):
        cut_size = next((size for size in range(len(form) - 1, 0, -1) if text.endswith(form[:size])), 0)
        text = text[: len(text) - cut_size]
    return text


def _without_markup(text: str) -> str:
    """Return the text of an HTML page, in linear time: no pattern looks past the next tag."""
    first, *others = re.split(r"<style", text, flags=re.IGNORECASE)
    visible = "".join((first, *(part.partition("</style>")[2] for part in others)))
    return re.sub(r"<[^<>]*>", " ", visible)


def parse_retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Return the seconds that the server asks to wait: `retry-after-ms`, or `Retry-After` in either format."""
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    text = headers.get("Retry-After")
    seconds = _number(text)
    if seconds is not None or not text:
        return seconds
    retry_at = _date(text)
    # The server's own clock if it sends the time, as the local clock may be wrong.
    server_time = _date(headers.get("Date")) or now or datetime.now(UTC)
    return None if retry_at is None else max(0.0, (retry_at - server_time).total_seconds())


def _number(text: str | None) -> float | None:
    return float(text) if text and re.fullmatch(r"\s*\d{1,9}(\.\d{1,9})?\s*", text) else None


def _date(text: str | None) -> datetime | None:
    try:
        date = parsedate_to_datetime(text or "")
    except ValueError:
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)


def _read_error(body: bytes, secrets: tuple[str, ...]) -> tuple[str, str | None, str | None]:
    """Return message, code and parameter in the body of an error response, in the formats that are in use."""
    text = _decoded(body)
    fields = _error_object(text)
    if fields is None:
        return clean(_without_markup(_beginning(text, secrets)), secrets), None, None
    message = next((fields[name] for name in ("message", "detail", "error", "msg") if fields.get(name)), text)
    upstream = fields.get("metadata")
    raw = cast("dict[str, object]", upstream).get("raw") if isinstance(upstream, dict) else None
    if isinstance(raw, str):  # what OpenRouter passes on
        message = f"{message}: {raw}"
    code, parameter = fields.get("code") or fields.get("type"), fields.get("param")
    return (
        clean(str(message), secrets),
        code if isinstance(code, str) else None,
        parameter[:_MAX_MESSAGE_LENGTH] if isinstance(parameter, str) else None,
    )


def _error_object(text: str) -> dict[str, Any] | None:
    """Return the error object: the value of `error`, or the whole document, or the first of a list."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, list) and value:
        value = cast("list[object]", value)[0]
    if not isinstance(value, dict):
        return None
    document = cast("dict[str, Any]", value)
    error = document.get("error")
    return cast("dict[str, Any]", error) if isinstance(error, dict) else document


_ANSWERS = ("choices", "candidates", "content", "message", "data", "embeddings")
"""Fields of a response that hold an answer."""

ERROR_STATUSES = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "insufficient_quota": 429,
    "timeout_error": 504,
    "overloaded_error": 529,
}
"""The statuses of the errors that vendors name in a body."""

_UNKNOWN_STATUS = 500


def wrapped_failure(where: str, body: bytes, secrets: tuple[str, ...] = ()) -> AttemptFailure | None:
    """Return the failure that a gateway wraps in a response with status 200; None if that holds an answer."""
    if b'"error"' not in body:
        return None
    try:
        value: object = json.loads(body)
    except (ValueError, RecursionError):
        return None
    error = _error_of(cast("dict[str, Any]", value)) if isinstance(value, dict) else None
    if not error:
        return None
    return failure_from_response(where, _status_of(error), {}, json.dumps({"error": error}).encode(), secrets)


def _error_of(response: dict[str, Any]) -> object:
    """Return the error of a response, or of its only choice, where there is no answer beside it."""
    if response.get("error"):
        return None if any(response.get(name) for name in _ANSWERS) else response["error"]
    choices = response.get("choices")
    first = cast("list[object]", choices)[0] if isinstance(choices, list) and choices else None
    return cast("dict[str, object]", first).get("error") if isinstance(first, dict) else None


def _status_of(error: object) -> int:
    fields = cast("dict[str, object]", error) if isinstance(error, dict) else {}
    for name in ("status", "code", "type"):
        value = fields.get(name)
        if isinstance(value, str) and value in ERROR_STATUSES:
            return ERROR_STATUSES[value]
        number = int(value) if isinstance(value, int | str) and str(value).isdecimal() else 0
        if 400 <= number <= 599:  # noqa: PLR2004  (client and server errors)
            return number
    return _UNKNOWN_STATUS
