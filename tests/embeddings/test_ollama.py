import asyncio

import numpy as np
import pytest
from tests.servers.ollama import OllamaServer
from tests.testing.for_each import for_each

from ragstone.embeddings import get_embedder
from ragstone.embeddings.ollama import OllamaEmbedder
from ragstone.errors import ProviderError


def test_ollama_embeds_texts_and_skips_blank_ones(
    ollama_server: OllamaServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OLLAMA_HOST", ollama_server.base_url.removeprefix("http://"))
    one = get_embedder("ollama:all-minilm")
    rows = asyncio.run(one.embed(["a cat", "", "a dog"]))
    assert one.name == "ollama:all-minilm"
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1, 0, 1], abs=1e-5)
    assert ollama_server.bodies == [{"model": "all-minilm", "input": ["a cat", "a dog"]}]
    assert ollama_server.requests[0].path == "/api/embed"


@for_each("body", [b"", b"<html>", b'{"embedding": [1.0]}'])
def test_invalid_ollama_response_raises_provider_error(body: bytes) -> None:
    with pytest.raises(ProviderError, match="not a list of embeddings"):
        OllamaEmbedder(base_url="http://127.0.0.1:9").decode(body)
