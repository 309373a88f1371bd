"""Ask a server that may know less than its vendor's newest: what it turns down is left out from then on.

Servers that speak a vendor's wire differ in what they accept: reasoning models turn down `temperature`, small
servers turn down `response_format` or log-probabilities. Which, is learnt from the refusal itself, once a run
for each server and model, so no table of model names is kept.
"""

import json
import re
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any, TypeVar

from pydantic_core import to_json

from ragstone.providers.http.failures import AttemptFailure
from ragstone.providers.http.transport import Endpoint, Transport, borrow_transport, current_transport

_UNPROCESSABLE = frozenset({400, 422})

T = TypeVar("T")
Encode = Callable[[frozenset[str]], Mapping[str, Any]]
Send = Callable[[Transport, Mapping[str, Any]], Awaitable[T | AttemptFailure]]


async def post_negotiated(endpoint: Endpoint, encode: Encode, names: Mapping[str, str]) -> bytes:
    """Return the body of the server's answer to a POST.

    Args:
        endpoint: where to ask.
        encode: gives the body of the request, without the parameters that it is told.
        names: the parameters that can be left out, each with a pattern of what servers call it in a refusal.

    Raises:
        ProviderError: the server refused or failed.
        TimedOut: no answer in time.
    """
    return await negotiate(
        endpoint, encode, names, lambda transport, body: transport.send(endpoint, to_json_bytes(body))
    )


async def negotiate(endpoint: Endpoint, encode: Encode, names: Mapping[str, str], send: Send[T]) -> T:
    """Return what `send` brings; the rest as for `post_negotiated`."""
    async with borrow_transport() as transport:
        while True:
            unsupported = transport.unsupported_parameters(endpoint.url, endpoint.model)
            body = encode(unsupported)
            answer = await send(transport, body)
            if not isinstance(answer, AttemptFailure):
                return answer
            parameter = _rejected_parameter(answer, {name: names[name] for name in names if name in body})
            if parameter is None:
                raise answer.error()
            transport.mark_unsupported(endpoint.url, endpoint.model, parameter)


def mark_unsupported(endpoint: Endpoint, parameter: str) -> None:
    """Remember that a server ignores a parameter."""
    transport = current_transport()
    if transport is not None:
        transport.mark_unsupported(endpoint.url, endpoint.model, parameter)


def is_supported(endpoint: Endpoint, parameter: str) -> bool:
    """Tell whether the server has not, in this run, turned a parameter down."""
    transport = current_transport()
    return transport is None or parameter not in transport.unsupported_parameters(
        endpoint.url, endpoint.model
    )


def to_json_bytes(body: Mapping[str, Any]) -> bytes:
    """Return compact JSON; half a surrogate pair, which no server reads, becomes a question mark."""
    try:
        return to_json(body, fallback=dict)  # a quarter of the time of the standard library's
    except ValueError:
        return json.dumps(body, ensure_ascii=False, default=dict).encode("utf-8", "replace")


def schema_in_prompt(system: str, schema: Mapping[str, Any]) -> str:
    """Return the system message for a server that takes no schema: it stands at the end, in words."""
    text = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
    return f"{system}\n\nAnswer with JSON alone, no other text, that fits this JSON schema:\n{text}"


def merge_options(
    body: Mapping[str, Any], options: Mapping[str, Any], unsupported: Collection[str]
) -> dict[str, Any]:
    """Return the body with the user's own options in it; what is None or was turned down is not sent."""
    both = {**body, **options}
    return {name: value for name, value in both.items() if value is not None and name not in unsupported}


def _rejected_parameter(failure: AttemptFailure, candidates: Mapping[str, str]) -> str | None:
    """Return which parameter the refusal is about; one named apart from the words goes before the words."""
    if failure.status not in _UNPROCESSABLE or "context" in (failure.parameter or ""):
        return None
    said = failure.parameter or failure.words
    found = (
        (match.start(), name) for name, pattern in candidates.items() if (match := re.search(pattern, said))
    )
    return min(found, default=(0, None))[1]
