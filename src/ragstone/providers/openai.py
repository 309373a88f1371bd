"""OpenAI's chat completions, the wire most servers speak: vLLM, llama.cpp, LM Studio, Azure and many more."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from ragstone.providers.base import Completion, Request
from ragstone.providers.batches.openai import OpenAIBatches
from ragstone.providers.http.address import (
    check_base,
    check_key,
    from_environment,
    join,
    missing_key,
    secrets_in,
)
from ragstone.providers.http.transport import Endpoint
from ragstone.providers.wire.chat_completions import OPTIONAL_PARAMETERS, decode, encode
from ragstone.providers.wire.parameter_support import is_supported, mark_unsupported, post_negotiated

_DEFAULT_BASE_URL = "https://api.openai.com/v1"


@dataclass(frozen=True, kw_only=True)
class OpenAI:
    """A model behind OpenAI's wire.

    Attributes:
        model: the model; on Azure the deployment's name.
        api_key: the key; from OPENAI_API_KEY unless given. A server of your own may need none.
        base_url: where `/chat/completions` stands, query included; from OPENAI_BASE_URL unless given.
        key_header: header of the key: `Authorization` sends a bearer token, any other (Azure: `api-key`) the
            bare key.
        options: further parameters of each request, such as `{"seed": 7}`; None leaves one of ours out.
        headers: further headers.

    Raises:
        UsageError: there is no key and the server is OpenAI's own.
        BadOption: the address is none.
    """

    model: str = "gpt-4o-mini"
    api_key: str | None = field(default=None, repr=False)
    base_url: str | None = None
    key_header: str = "Authorization"
    options: Mapping[str, Any] = field(default_factory=dict[str, Any], hash=False)
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False, hash=False)

    def __post_init__(self) -> None:
        """Settle key and address, so that the value means the same on every machine."""
        base = check_base(
            self.base_url or from_environment("OPENAI_BASE_URL") or _DEFAULT_BASE_URL, "base_url"
        )
        key = self.api_key or from_environment("OPENAI_API_KEY")
        if key is None and base.startswith("https://api.openai.com"):
            raise missing_key("OpenAI", "OPENAI_API_KEY", "OPENAI_BASE_URL")
        object.__setattr__(self, "base_url", base)
        object.__setattr__(self, "api_key", key and check_key(key, "OPENAI_API_KEY"))

    @property
    def name(self) -> str:
        """The vendor."""
        return "openai"

    @property
    def supports_structured_outputs(self) -> bool:
        """Where the server turns a schema down, the provider itself writes it into the system message."""
        return True

    @property
    def supports_log_probs(self) -> bool:
        """Until the server has turned log-probabilities down, or left them out."""
        return is_supported(self._endpoint, "logprobs")

    @property
    def supports_multimodal(self) -> bool:
        """Whether the wire carries images."""
        return True

    @property
    def supports_batches(self) -> bool:
        """Whether there may be `/files` and `/batches` beside `/chat/completions`: not at one deployment of Azure's."""
        return "/deployments/" not in (self.base_url or "")

    async def complete(self, request: Request) -> Completion:
        """Return the model's answer.

        Raises:
            ProviderError: the server refused or failed, or the answer is no answer.
            TimedOut: no answer in time.
        """
        body = await post_negotiated(
            self._endpoint,
            lambda unsupported: encode(self.model, request, self.options, unsupported),
            OPTIONAL_PARAMETERS,
        )
        completion = decode(body, self.name, self.model)
        if request.top_logprobs and not completion.tokens:
            mark_unsupported(self._endpoint, "logprobs")
        return completion

    @property
    def place(self) -> Endpoint:
        """Where the model is asked, and its vendor takes batches."""
        return self._endpoint

    @cached_property
    def _endpoint(self) -> Endpoint:
        batches = OpenAIBatches(self.base_url or "") if self.supports_batches else None
        return replace(self.endpoint("chat/completions"), batches=batches)

    def endpoint(self, path: str) -> Endpoint:
        """Return where calls go that stand at `path` below the base URL."""
        bearer = "Bearer " if self.key_header == "Authorization" else ""
        ours = {
            self.key_header: self.api_key and f"{bearer}{self.api_key}",
            "OpenAI-Organization": from_environment("OPENAI_ORG_ID"),
            "OpenAI-Project": from_environment("OPENAI_PROJECT_ID"),
        }
        headers = {name: value for name, value in ours.items() if value} | dict(self.headers)
        secrets = secrets_in(self.headers, self.api_key)
        return Endpoint(self.name, self.model, join(self.base_url or "", path), headers, secrets)
