"""Embeddings behind OpenAI's wire: `POST {base}/embeddings`, also vLLM, llama.cpp, LM Studio and many more.

Format: https://platform.openai.com/docs/api-reference/embeddings/create. Vectors travel as base64 of raw
    floats
where the server can, which is a quarter of the bytes of decimal digits and nothing to parse.
"""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, BeforeValidator, ValidationError

from ragstone.embeddings._batches import Rows, embed_in_batches
from ragstone.errors import ProviderError
from ragstone.providers.http.failures import clean
from ragstone.providers.http.transport import Endpoint
from ragstone.providers.openai import OpenAI
from ragstone.providers.wire.parameter_support import merge_options, post_negotiated

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_OPTIONAL_PARAMETERS = {"encoding_format": r"encoding_format|base64", "dimensions": r"dimensions|matryoshka"}


@dataclass(frozen=True, kw_only=True)
class OpenAIEmbedder:
    """An embedding model behind OpenAI's wire.

    Attributes:
        model: the model.
        api_key: the key; from OPENAI_API_KEY unless given.
        base_url: where `/embeddings` stands; from OPENAI_BASE_URL unless given.
        key_header: header of the key, `api-key` on Azure.
        options: further parameters of each request, such as `{"dimensions": 256}`.
        headers: further headers.

    Raises:
        UsageError: there is no key and the server is OpenAI's own.
    """

    model: str = "text-embedding-3-small"
    api_key: str | None = field(default=None, repr=False)
    base_url: str | None = None
    key_header: str = "Authorization"
    options: Mapping[str, Any] = field(default_factory=dict[str, Any], hash=False)
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False, hash=False)

    def __post_init__(self) -> None:
        """Refuse before the first call what could only fail at it."""
        _ = self._endpoint

    @property
    def name(self) -> str:
        """The spec."""
        return f"openai:{self.model}"

    async def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Return one row a text: shape (texts, dimensions), rows of length 1, zeros for a blank text.

        Raises:
            ProviderError: the server refused or failed.
            TimedOut: no answer in time.
        """
        return await embed_in_batches(texts, self._fetch, self.name)

    async def _fetch(self, texts: Sequence[str]) -> Rows:
        body = await post_negotiated(
            self._endpoint, lambda unsupported: encode(self, texts, unsupported), _OPTIONAL_PARAMETERS
        )
        return decode(body, self.name)

    @cached_property
    def _endpoint(self) -> Endpoint:
        chat = OpenAI(
            model=self.model,
            api_key=self.api_key,
            base_url=self.base_url,
            key_header=self.key_header,
            headers=self.headers,
        )
        return chat.endpoint("embeddings")


def encode(
    embedder: OpenAIEmbedder, texts: Sequence[str], unsupported: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """Return the body of the request without what the server turned down."""
    body = {"model": embedder.model, "input": list(texts), "encoding_format": "base64"}
    return merge_options(body, embedder.options, unsupported)


def decode(body: bytes, name: str) -> Rows:
    """Return the vectors in the order of the texts.

    Raises:
        ProviderError: it is no list of embeddings.
    """
    try:
        data = sorted(_Reply.model_validate_json(body).data, key=lambda row: row.index)
    except ValidationError as error:
        found = clean(body[:400].decode("utf-8", "replace"))
        raise ProviderError(f"{name}: the answer is no list of embeddings: {found!r}") from error
    return [row.embedding for row in data]


def _read_floats(vector: object) -> object:
    """Return the numbers in base64 of little-endian floats; what is a list already stays."""
    if not isinstance(vector, str):
        return vector
    import numpy as np  # noqa: PLC0415  (naming an embedder does not load it)

    return np.frombuffer(base64.b64decode(vector, validate=True), "<f4").tolist()


class _Row(BaseModel):
    embedding: Annotated[list[float], BeforeValidator(_read_floats)]
    index: int = 0


class _Reply(BaseModel):
    data: list[_Row]
