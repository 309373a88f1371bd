"""Embeddings behind Ollama's wire: `POST {host}/api/embed`.

Format: https://github.com/ollama/ollama/blob/main/docs/api.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from ragstone.embeddings._batches import Rows, embed_in_batches
from ragstone.errors import ProviderError
from ragstone.providers.http.failures import clean
from ragstone.providers.http.transport import Endpoint
from ragstone.providers.ollama import Ollama
from ragstone.providers.wire.parameter_support import merge_options, post_negotiated

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, kw_only=True)
class OllamaEmbedder:
    """An embedding model behind Ollama's wire.

    Attributes:
        model: the model, pulled before.
        base_url: the server; from OLLAMA_HOST unless given.
        api_key: a bearer token for a server behind a gate; from OLLAMA_API_KEY unless given.
        options: further fields of each request, such as `{"keep_alive": "10m"}`.
        headers: further headers.
    """

    model: str = "nomic-embed-text"
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    options: Mapping[str, Any] = field(default_factory=dict[str, Any], hash=False)
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False, hash=False)

    def __post_init__(self) -> None:
        """Refuse before the first call what could only fail at it."""
        _ = self._endpoint

    @property
    def name(self) -> str:
        """The spec."""
        return f"ollama:{self.model}"

    async def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Return one row a text: shape (texts, dimensions), rows of length 1, zeros for a blank text.

        Raises:
            ProviderError: the server refused or failed.
            TimedOut: no answer in time.
        """
        return await embed_in_batches(texts, self._fetch, self.name)

    async def _fetch(self, texts: Sequence[str]) -> Rows:
        body = await post_negotiated(self._endpoint, lambda unsupported: encode(self, texts, unsupported), {})
        return decode(body, self.name)

    @cached_property
    def _endpoint(self) -> Endpoint:
        chat = Ollama(model=self.model, base_url=self.base_url, api_key=self.api_key, headers=self.headers)
        return chat.endpoint("api/embed")


def encode(
    embedder: OllamaEmbedder, texts: Sequence[str], unsupported: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """Return the body of the request."""
    return merge_options({"model": embedder.model, "input": list(texts)}, embedder.options, unsupported)


def decode(body: bytes, name: str) -> Rows:
    """Return the vectors in the order of the texts.

    Raises:
        ProviderError: it is no list of embeddings.
    """
    try:
        return _Reply.model_validate_json(body).embeddings
    except ValidationError as error:
        found = clean(body[:400].decode("utf-8", "replace"))
        raise ProviderError(f"{name}: the answer is no list of embeddings: {found!r}") from error


class _Reply(BaseModel):
    embeddings: list[list[float]]
