"""Embeddings from Ollama: `POST {host}/api/embed`.

Format: https://github.com/ollama/ollama/blob/main/docs/api.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import BaseModel

from ragstone.embeddings._batches import HttpEmbedder, Rows
from ragstone.providers.http.endpoint import Endpoint
from ragstone.providers.http.failures import read_response
from ragstone.providers.ollama import Ollama
from ragstone.providers.wire.parameter_support import merge_options


@dataclass(frozen=True, kw_only=True, repr=False)
class OllamaEmbedder(HttpEmbedder):
    """An embedding model at Ollama.

    Attributes:
        model: the model; it must have been pulled.
        base_url: the server; by default OLLAMA_HOST.
        api_key: a bearer token for a server behind a gateway; by default OLLAMA_API_KEY.
        options: further parameters of each request, such as `{"keep_alive": "10m"}`.
        headers: further headers.
    """

    vendor: ClassVar[str] = "ollama"
    model: str = "nomic-embed-text"

    def encode(self, texts: Sequence[str], unsupported: frozenset[str] = frozenset()) -> dict[str, Any]:
        """Return the body of the request."""
        return merge_options({"model": self.model, "input": list(texts)}, self.options, unsupported)

    def decode(self, body: bytes) -> Rows:
        """Return the vectors in the order of the texts."""
        secrets = self._endpoint.secrets
        return read_response(_Embeddings, body, self.name, "list of embeddings", secrets).embeddings

    def _find_endpoint(self) -> Endpoint:
        chat = Ollama(model=self.model, base_url=self.base_url, api_key=self.api_key, headers=self.headers)
        return chat.endpoint("api/embed")


class _Embeddings(BaseModel):
    embeddings: list[list[float]]
