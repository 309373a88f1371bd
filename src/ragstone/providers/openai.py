"""OpenAI's chat completions, the wire format of most servers: vLLM, llama.cpp, LM Studio and many more."""

from dataclasses import dataclass, replace
from typing import Any

from ragstone.providers.base import Completion, Request
from ragstone.providers.batches.openai import OpenAIBatches
from ragstone.providers.http.address import from_environment
from ragstone.providers.http.endpoint import Endpoint
from ragstone.providers.wire.chat_completions import OPTIONAL_PARAMETERS, REJECTED_TOGETHER, decode, encode
from ragstone.providers.wire.http_provider import HttpProvider

_DEFAULT_BASE_URL = "https://api.openai.com/v1"


@dataclass(frozen=True, kw_only=True, repr=False)
class OpenAI(HttpProvider):
    """A model behind OpenAI's wire format.

    Attributes:
        model: the model; on Azure the deployment's name.
        api_key: the key; by default OPENAI_API_KEY. Your own server may not need one.
        base_url: the URL below which `/chat/completions` is, query included; by default OPENAI_BASE_URL.
        key_header: header of the key: `Authorization` sends a bearer token, any other (Azure: `api-key`) the key alone.
        options: further parameters of each request, such as `{"seed": 7}`; None removes one of ragstone's own.
        headers: further headers.

    Raises:
        UsageError: there is no key and the server is OpenAI's own.
        BadOption: the base URL is invalid.
    """

    name = "openai"
    optional_parameters = OPTIONAL_PARAMETERS
    rejected_together = REJECTED_TOGETHER
    supports_multimodal = True

    model: str = "gpt-4o-mini"
    key_header: str = "Authorization"

    def __post_init__(self) -> None:
        self._resolve("OpenAI", _DEFAULT_BASE_URL, "OPENAI_API_KEY", base_variable="OPENAI_BASE_URL")

    def encode(self, request: Request, unsupported: frozenset[str] = frozenset()) -> dict[str, Any]:
        """Return the body of the request."""
        return encode(self.model, request, self.options, unsupported, dialect=self.schema_dialect)

    def decode(self, body: bytes) -> Completion:
        """Return the answer."""
        return decode(body, self.name, self.model, self._endpoint.secrets)

    def _find_endpoint(self) -> Endpoint:
        # A deployment of Azure's has no `/files` and `/batches` beside `/chat/completions`.
        batches = None if "/deployments/" in self._base else OpenAIBatches(self._base)
        return replace(self.endpoint("chat/completions"), batches=batches)

    @property
    def _base(self) -> str:
        return self.base_url or ""

    def endpoint(self, path: str) -> Endpoint:
        """Return the endpoint of `path` below the base URL."""
        prefix = "Bearer " if self.key_header == "Authorization" else ""
        own_headers = {
            self.key_header: self.api_key and f"{prefix}{self.api_key}",
            "OpenAI-Organization": from_environment("OPENAI_ORG_ID"),
            "OpenAI-Project": from_environment("OPENAI_PROJECT_ID"),
        }
        return self._endpoint_at(self._base, path, own_headers)
