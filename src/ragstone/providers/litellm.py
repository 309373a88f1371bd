"""LiteLLM: many more vendors, through its one function. Needs `ragstone[litellm]`.

LiteLLM makes its own connections; retries, limits and pauses are ragstone's, as for every provider. Nothing is fetched
or reported in the background: its price list is the one in its package, its telemetry is off.
"""

import os
import re
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from ragstone.errors import BadOption, MissingExtra
from ragstone.plugins import import_extra
from ragstone.providers.base import Completion, Request
from ragstone.providers.http.address import secrets_in
from ragstone.providers.http.endpoint import Endpoint
from ragstone.providers.http.failures import (
    AttemptFailure,
    FailureKind,
    clean,
    failure_from_status,
    parse_retry_after,
)
from ragstone.providers.http.transport import Transport
from ragstone.providers.wire.chat_completions import OPTIONAL_PARAMETERS, decode, encode
from ragstone.providers.wire.http_provider import HttpProvider

_NO_CONNECTION = re.compile(
    r"(?i)cannot connect|connection refused|name or service not known|failed to resolve"
)


@dataclass(frozen=True, kw_only=True, repr=False)
class LiteLLM(HttpProvider):
    """A model behind LiteLLM.

    Attributes:
        model: vendor and model as LiteLLM writes them, such as `gemini/gemini-2.5-flash`.
        api_key: the key; by default LiteLLM reads each vendor's own variable.
        base_url: the server, if it is not the vendor's own.
        options: further arguments of `litellm.acompletion`; None removes one of ragstone's own.
        headers: further headers.

    Raises:
        MissingExtra: litellm is not installed.
        BadOption: no model is given.
    """

    name = "litellm"
    optional_parameters = OPTIONAL_PARAMETERS

    def __post_init__(self) -> None:
        """Raise errors now that would otherwise appear at the first call."""
        if not self.model:
            raise BadOption(
                "The provider litellm needs a model: write, for example, litellm:gemini/gemini-2.5-flash."
            )
        if find_spec("litellm") is None:
            raise MissingExtra("The provider litellm", "litellm")

    def encode(self, request: Request, unsupported: frozenset[str] = frozenset()) -> dict[str, Any]:
        """Return the arguments of the call."""
        return encode(self.model, request, self.options, unsupported)

    def decode(self, body: bytes) -> Completion:
        """Return the answer."""
        return decode(body, self.name, self.model, self._endpoint.secrets)

    def _find_endpoint(self) -> Endpoint:
        secrets = secrets_in(self.headers, *_secret_values(self.api_key))
        return Endpoint(self.name, self.model, self.base_url or self.model, secrets=secrets)

    def _send(self, transport: Transport, body: Mapping[str, Any]) -> Awaitable[bytes | AttemptFailure]:
        return transport.with_retries(self._endpoint, lambda: self._attempt(body, transport.timeout))

    async def _attempt(self, body: Mapping[str, Any], seconds: float) -> bytes | AttemptFailure:
        arguments = {
            "api_key": self.api_key,
            "api_base": self.base_url,
            "timeout": seconds,
            "extra_headers": dict(self.headers) or None,
            **body,
        }
        try:
            reply = await _import_litellm().acompletion(num_retries=0, max_retries=0, **arguments)
        except Exception as error:  # noqa: BLE001  (its errors have no base of their own)
            return _failure(error, self._endpoint, seconds)
        return reply.model_dump_json().encode()


def _import_litellm() -> Any:  # noqa: ANN401  (an optional module)
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # else its import fetches a list of prices
    litellm = import_extra("The provider litellm", "litellm", "litellm")
    litellm.telemetry = False
    litellm.suppress_debug_info = True
    return litellm


def _secret_values(api_key: str | None) -> tuple[str, ...]:
    """Return every secret of the environment: LiteLLM may read any of them."""
    secrets = (value for name, value in os.environ.items() if name.endswith(("_KEY", "_TOKEN", "_SECRET")))
    return tuple({value for value in (api_key, *secrets) if value and len(value) > 7})  # noqa: PLR2004


def _failure(error: Exception, endpoint: Endpoint, seconds: float) -> AttemptFailure:
    where = f"litellm: {endpoint.model}"
    cause = clean(str(error), endpoint.secrets)
    status = getattr(error, "status_code", None)
    kind = type(error).__name__
    if kind == "Timeout" or isinstance(error, TimeoutError):
        return AttemptFailure(FailureKind.LATE, f"{where} gave no answer within {seconds:g} s")
    message = f"{where} failed: {kind}: {cause}"
    if kind == "APIConnectionError":
        no_connection = _NO_CONNECTION.search(str(error))
        return AttemptFailure(FailureKind.UNREACHED if no_connection else FailureKind.BROKEN, message)
    if not isinstance(status, int):
        return AttemptFailure(FailureKind.UNREACHED, message, again=False)
    headers: Mapping[str, str] | None = getattr(getattr(error, "response", None), "headers", None)
    pause = parse_retry_after(headers) if headers else None
    return failure_from_status(where, status, cause, pause=pause, code=getattr(error, "code", None))
