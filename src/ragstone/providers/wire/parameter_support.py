"""Parameters that a server rejects are omitted from then on.

Servers with the same wire format differ in what they accept: reasoning models reject `temperature`, small servers
`response_format` or log-probabilities. The error message says which; it is remembered per server and model for the run,
so no table of model names is needed.
"""

import json
import re
from collections.abc import Awaitable, Callable, Collection, Mapping
from itertools import chain
from typing import Any

from pydantic_core import to_json

from ragstone.providers.http.endpoint import Endpoint
from ragstone.providers.http.failures import AttemptFailure
from ragstone.providers.http.transport import Transport, borrow_transport, current_transport

_REJECTION_STATUSES = frozenset({400, 422})

NOTHING_TOGETHER: Mapping[str, Collection[str]] = {}
Send = Callable[[Transport, Mapping[str, Any]], Awaitable[bytes | AttemptFailure]]


async def post_negotiated(
    endpoint: Endpoint,
    encode: Callable[[frozenset[str]], Mapping[str, Any]],
    names: Mapping[str, str],
    *,
    together: Mapping[str, Collection[str]] = NOTHING_TOGETHER,
    rejectable: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None,
    send: Send | None = None,
) -> bytes:
    """Return the body of the response to a POST request.

    Args:
        endpoint: the endpoint.
        encode: returns the body of the request without the given parameters.
        names: the parameters that can be omitted, each with a pattern of its names in error messages.
        together: patterns of error messages which imply that the server lacks support for further parameters too. These
            are omitted at once: each round costs a call, and in batches it may cost a day.
        rejectable: returns the part of the request that holds these parameters; the whole if None.
        send: sends the request; `Transport.send` if None.

    Raises:
        ProviderError: the server refused or failed.
        TimedOut: no answer in time.
    """
    async with borrow_transport() as transport:
        while True:
            unsupported = transport.unsupported_parameters(endpoint.url, endpoint.model)
            body = encode(unsupported)
            answer = await (send(transport, body) if send else transport.send(endpoint, to_json_bytes(body)))
            if not isinstance(answer, AttemptFailure):
                return answer
            sent = body if rejectable is None else rejectable(body)
            parameter = _rejected_parameter(answer, {name: names[name] for name in names if name in sent})
            if parameter is None:
                raise answer.error()
            others = (implied for pattern, implied in together.items() if re.search(pattern, answer.words))
            for name in (parameter, *chain.from_iterable(others)):
                transport.mark_unsupported(endpoint.url, endpoint.model, name)


def unsupported_parameters(endpoint: Endpoint) -> frozenset[str]:
    """Return what the server has rejected or ignored in this run."""
    transport = current_transport()
    return transport.unsupported_parameters(endpoint.url, endpoint.model) if transport else frozenset()


def to_json_bytes(body: Mapping[str, Any]) -> bytes:
    """Return compact JSON; an unpaired surrogate becomes a question mark."""
    try:
        return to_json(body, fallback=dict)  # a quarter of the time of the standard library's
    except ValueError:
        return json.dumps(body, ensure_ascii=False, default=dict).encode("utf-8", "replace")


def schema_in_prompt(system: str, schema: Mapping[str, Any]) -> str:
    """Return the system message with the schema at its end, for a server without structured output."""
    text = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
    return f"{system}\n\nAnswer with JSON alone, no other text, that fits this JSON schema:\n{text}"


def merge_options(
    body: Mapping[str, Any], options: Mapping[str, Any], unsupported: Collection[str]
) -> dict[str, Any]:
    """Return the body with the user's options; None and unsupported parameters are omitted."""
    merged = {**body, **options}
    return {name: value for name, value in merged.items() if value is not None and name not in unsupported}


def _rejected_parameter(failure: AttemptFailure, candidates: Mapping[str, str]) -> str | None:
    """Return the parameter that an error is about: the one it names in a field, else in its message."""
    if failure.status not in _REJECTION_STATUSES or "context" in (failure.parameter or ""):
        return None
    text = failure.parameter or failure.words
    matches = (
        (match.start(), name) for name, pattern in candidates.items() if (match := re.search(pattern, text))
    )
    return min(matches, default=(0, None))[1]
