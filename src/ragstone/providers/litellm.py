"""LiteLLM: the many vendors that have no file here, through its one function. Needs `ragstone[litellm]`.

LiteLLM brings its own connections; asking again, its bounds and its pauses are ours, as for every provider.
Nothing is fetched or reported behind the user's back: its price map is the one in its package, its telemetry
is off.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from typing import Any

from ragstone.errors import BadOption, MissingExtra
from ragstone.plugins import import_extra
from ragstone.providers.base import Completion, Request
from ragstone.providers.http.failures import (
    AttemptFailure,
    FailureKind,
    clean,
    failure_from_status,
    parse_retry_after,
)
from ragstone.providers.http.transport import Endpoint, Transport
from ragstone.providers.wire.chat_completions import OPTIONAL_PARAMETERS, decode, encode
from ragstone.providers.wire.parameter_support import is_supported, mark_unsupported, negotiate

_UNREACHED = frozenset({"APIConnectionError"})


@dataclass(frozen=True, kw_only=True)
class LiteLLM:
    """A model behind LiteLLM.

    Attributes:
        model: vendor and model the way LiteLLM writes them, such as `gemini/gemini-2.5-flash`.
        api_key: the key; LiteLLM reads each vendor's own variable unless given.
        base_url: the server, where it is not the vendor's own.
        options: further arguments of `litellm.acompletion`; None leaves one of ours out.

    Raises:
        MissingExtra: litellm is not installed.
        BadOption: no model is named.
    """

    model: str = ""
    api_key: str | None = field(default=None, repr=False)
    base_url: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict[str, Any], hash=False)

    def __post_init__(self) -> None:
        """Refuse before the first call what could only fail at it."""
        if not self.model:
            raise BadOption(
                "The provider litellm needs a model: write litellm:gemini/gemini-2.5-flash or such."
            )
        if find_spec("litellm") is None:
            raise MissingExtra("The provider litellm", "litellm")

    @property
    def name(self) -> str:
        """The vendor."""
        return "litellm"

    @property
    def supports_structured_outputs(self) -> bool:
        """Where the server turns a schema down, the provider itself writes it into the system message."""
        return True

    @property
    def supports_log_probs(self) -> bool:
        """Until the model has turned log-probabilities down, or left them out."""
        return is_supported(self._endpoint, "logprobs")

    @property
    def supports_multimodal(self) -> bool:
        """Not known of all vendors."""
        return False

    async def complete(self, request: Request) -> Completion:
        """Return the model's answer.

        Raises:
            ProviderError: the server refused or failed, or the answer is no answer.
            TimedOut: no answer in time.
        """
        body = await negotiate(
            self._endpoint,
            lambda unsupported: encode(self.model, request, self.options, unsupported),
            OPTIONAL_PARAMETERS,
            self._send,
        )
        completion = decode(body, self.name, self.model)
        if request.top_logprobs and not completion.tokens:
            mark_unsupported(self._endpoint, "logprobs")
        return completion

    async def _send(self, transport: Transport, body: Mapping[str, Any]) -> bytes | AttemptFailure:
        return await transport.with_retries(self._endpoint, lambda: self._attempt(body, transport.timeout))

    async def _attempt(self, body: Mapping[str, Any], seconds: float) -> bytes | AttemptFailure:
        arguments = {"api_key": self.api_key, "api_base": self.base_url, "timeout": seconds, **body}
        try:
            reply = await _quiet_litellm().acompletion(num_retries=0, max_retries=0, **arguments)
        except Exception as error:  # noqa: BLE001  (its errors have no base of their own)
            return _failure(error, self._endpoint, seconds)
        return reply.model_dump_json().encode()

    @cached_property
    def _endpoint(self) -> Endpoint:
        return Endpoint(self.name, self.model, self.base_url or self.model, secrets=_all_keys(self.api_key))


def _quiet_litellm() -> Any:  # noqa: ANN401  (an optional module)
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # else its import fetches a list of prices
    litellm = import_extra("The provider litellm", "litellm", "litellm")
    litellm.telemetry = False
    litellm.suppress_debug_info = True
    return litellm


def _all_keys(given: str | None) -> tuple[str, ...]:
    """Return every secret of the environment: which of them LiteLLM reads is its own affair."""
    kept = (value for name, value in os.environ.items() if name.endswith(("_KEY", "_TOKEN", "_SECRET")))
    return tuple({value for value in (given, *kept) if value and len(value) > 7})  # noqa: PLR2004


def _failure(error: Exception, endpoint: Endpoint, seconds: float) -> AttemptFailure:
    where = f"litellm: {endpoint.model}"
    words = clean(str(error), endpoint.secrets)
    status = getattr(error, "status_code", None)
    kind = type(error).__name__
    if kind == "Timeout" or isinstance(error, TimeoutError):
        return AttemptFailure(FailureKind.LATE, f"{where} gave no answer within {seconds:g} s")
    if kind in _UNREACHED or not isinstance(status, int):
        return AttemptFailure(
            FailureKind.UNREACHED, f"{where} failed: {kind}: {words}", again=kind in _UNREACHED
        )
    headers: Mapping[str, str] | None = getattr(getattr(error, "response", None), "headers", None)
    pause = parse_retry_after(headers) if headers else None
    return failure_from_status(where, status, words, pause=pause, code=getattr(error, "code", None))
