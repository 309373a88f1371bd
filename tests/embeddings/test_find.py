from collections.abc import Sequence

import numpy as np
import pytest

from ragstone.embeddings import Embedder, get_embedder
from ragstone.embeddings.ollama import OllamaEmbedder
from ragstone.embeddings.openai import OpenAIEmbedder
from ragstone.errors import BadOption, UnknownName


class Constant:
    """An embedder of one's own."""

    name = "constant"

    async def embed(self, texts: Sequence[str]) -> np.ndarray:
        return np.ones((len(texts), 1), np.float32)


def test_get_embedder_reads_vendor_and_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    assert get_embedder("openai") == OpenAIEmbedder()
    assert get_embedder("openai:text-embedding-3-large").name == "openai:text-embedding-3-large"
    assert get_embedder("ollama:nomic-embed-text:v1.5") == OllamaEmbedder(model="nomic-embed-text:v1.5")


def test_custom_embedder_is_found_by_module_and_class() -> None:
    assert isinstance(get_embedder(f"{__name__}:Constant"), Embedder)


def test_unknown_embedder_suggests_the_nearest_name() -> None:
    with pytest.raises(UnknownName, match="local"):
        get_embedder("locl")


def test_local_embedder_with_a_model_is_refused() -> None:
    with pytest.raises(BadOption, match="'local'"):
        get_embedder("local:big")


def test_class_without_embed_is_refused() -> None:
    with pytest.raises(BadOption, match="embed"):
        get_embedder("builtins:dict")
