"""Errors that a gateway wraps in a response with status 200, as OpenRouter and Ollama do.

They are what the status in them says: an overload is retried, a refused key ends the run.
"""

import json
from collections.abc import Mapping
from typing import Any, cast

from ragstone.providers.http.failures import AttemptFailure, failure_from_response

_ANSWERS = ("choices", "candidates", "content", "message", "data", "embeddings")
"""Fields of a response that hold an answer."""

_STATUSES = {
    "authentication_error": 401,
    "permission_error": 403,
    "not_found_error": 404,
    "invalid_request_error": 400,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "insufficient_quota": 429,
    "overloaded_error": 529,
}
_UNKNOWN_STATUS = 500


def wrapped_failure(
    where: str, headers: Mapping[str, str], body: bytes, secrets: tuple[str, ...] = ()
) -> AttemptFailure | None:
    """Return the failure in a response with status 200; None if the response holds an answer."""
    if b'"error"' not in body:
        return None
    try:
        value: object = json.loads(body)
    except (ValueError, RecursionError):
        return None
    error = _error_of(cast("dict[str, Any]", value)) if isinstance(value, dict) else None
    if not error:
        return None
    return failure_from_response(
        where, _status_of(error), headers, json.dumps({"error": error}).encode(), secrets
    )


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
        if isinstance(value, str) and value in _STATUSES:
            return _STATUSES[value]
        number = int(value) if isinstance(value, int | str) and str(value).isdecimal() else 0
        if 400 <= number <= 599:  # noqa: PLR2004  (client and server errors)
            return number
    return _UNKNOWN_STATUS
