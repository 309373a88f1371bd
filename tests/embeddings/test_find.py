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


def test_specs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    assert get_embedder("openai") == OpenAIEmbedder()
    assert get_embedder("openai:text-embedding-3-large").name == "openai:text-embedding-3-large"
    assert get_embedder("ollama:nomic-embed-text:v1.5") == OllamaEmbedder(model="nomic-embed-text:v1.5")


def test_a_class_of_ones_own() -> None:
    assert isinstance(get_embedder(f"{__name__}:Constant"), Embedder)


def test_an_unknown_name_is_said_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match="local"):
        get_embedder("locl")


def test_the_local_one_has_one_model() -> None:
    with pytest.raises(BadOption, match="'local'"):
        get_embedder("local:big")


def test_what_is_no_embedder_is_refused() -> None:
    with pytest.raises(BadOption, match="embed"):
        get_embedder("builtins:dict")
