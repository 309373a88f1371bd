"""Embeddings from OpenAI and compatible servers: `POST {base}/embeddings` (vLLM, llama.cpp, LM Studio and many more).

Format: https://platform.openai.com/docs/api-reference/embeddings/create. Vectors are requested as base64 of raw floats,
where the server can: a quarter of the bytes of decimal digits, and nothing to parse.
"""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, BeforeValidator

from ragstone.embeddings._batches import HttpEmbedder, Rows
from ragstone.providers.http.endpoint import Endpoint
from ragstone.providers.http.failures import read_response
from ragstone.providers.openai import OpenAI
from ragstone.providers.wire.parameter_support import merge_options


@dataclass(frozen=True, kw_only=True, repr=False)
class OpenAIEmbedder(HttpEmbedder):
    """An embedding model behind OpenAI's wire format.

    Attributes:
        model: the model.
        api_key: the key; by default OPENAI_API_KEY.
        base_url: the URL below which `/embeddings` is; by default OPENAI_BASE_URL.
        key_header: header of the key, `api-key` on Azure.
        options: further parameters of each request, such as `{"dimensions": 256}`.
        headers: further headers.

    Raises:
        UsageError: there is no key and the server is OpenAI's own.
    """

    vendor: ClassVar[str] = "openai"
    optional_parameters: ClassVar[Mapping[str, str]] = {
        "encoding_format": r"encoding_format|base64",
        "dimensions": r"dimensions|matryoshka",
    }

    model: str = "text-embedding-3-small"
    key_header: str = "Authorization"

    def encode(self, texts: Sequence[str], unsupported: frozenset[str] = frozenset()) -> dict[str, Any]:
        """Return the body of the request."""
        body = {"model": self.model, "input": list(texts), "encoding_format": "base64"}
        return merge_options(body, self.options, unsupported)

    def decode(self, body: bytes) -> Rows:
        """Return the vectors in the order of the texts."""
        found = read_response(_EmbeddingList, body, self.name, "list of embeddings", self._endpoint.secrets)
        return [row.embedding for row in sorted(found.data, key=lambda row: row.index)]

    def _find_endpoint(self) -> Endpoint:
        chat = OpenAI(
            model=self.model,
            api_key=self.api_key,
            base_url=self.base_url,
            key_header=self.key_header,
            headers=self.headers,
        )
        return chat.endpoint("embeddings")


def _read_floats(vector: object) -> object:
    """Return the numbers in base64 of little-endian floats; a list is returned as it is."""
    if not isinstance(vector, str):
        return vector
    import numpy as np  # noqa: PLC0415  (naming an embedder does not load it)

    return np.frombuffer(base64.b64decode(vector, validate=True), "<f4").tolist()


class _Embedding(BaseModel):
    embedding: Annotated[list[float], BeforeValidator(_read_floats)]
    index: int = 0


class _EmbeddingList(BaseModel):
    data: list[_Embedding]
