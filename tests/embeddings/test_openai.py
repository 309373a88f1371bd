import asyncio
import json

import numpy as np
import pytest
from tests.servers import faults
from tests.servers.openai import OpenAIServer
from tests.testing.for_each import for_each

from ragstone.embeddings import get_embedder
from ragstone.embeddings.openai import OpenAIEmbedder
from ragstone.errors import AccessRefused, ProviderError, UsageError
from ragstone.providers import Retry, open_transport

LOOPBACK = OpenAIEmbedder(base_url="http://127.0.0.1:9/v1")


def embedder(server: OpenAIServer, **options: object) -> OpenAIEmbedder:
    return OpenAIEmbedder(base_url=server.base_url, api_key="sk-loopback", **options)  # type: ignore[arg-type]


def embed(one: OpenAIEmbedder, texts: list[str]) -> np.ndarray:
    async def main() -> np.ndarray:
        async with open_transport(retry=Retry(base=0.01)):
            return await one.embed(texts)

    return asyncio.run(main())


def test_openai_embeds_texts_and_skips_blank_ones(openai_server: OpenAIServer) -> None:
    openai_server.vectors = {"east": [3.0, 0.0], "north": [0.0, 2.0]}
    rows = embed(embedder(openai_server), ["north", "", "east"])
    assert rows == pytest.approx(np.array([[0, 1], [0, 0], [1, 0]], np.float32))
    assert openai_server.bodies == [
        {"model": "text-embedding-3-small", "input": ["north", "east"], "encoding_format": "base64"}
    ]
    assert openai_server.requests[0].path == "/v1/embeddings"


def test_many_texts_go_in_batches_over_few_connections(openai_server: OpenAIServer) -> None:
    rows = embed(embedder(openai_server), [f"text {number}" for number in range(1000)])
    assert len(rows) == 1000
    assert max(len(body["input"]) for body in openai_server.bodies) == 128
    assert openai_server.connections <= 4


def test_options_are_sent_to_the_server(openai_server: OpenAIServer) -> None:
    assert embed(embedder(openai_server, options={"dimensions": 8}), ["a"]).shape == (1, 8)


def test_rate_limit_and_connection_reset_are_retried(openai_server: OpenAIServer) -> None:
    openai_server.faults.add(faults.rate_limited(0.05), nth=1)
    openai_server.faults.add(faults.reset(), nth=2)
    assert len(embed(embedder(openai_server), ["a"])) == 1


def test_wrong_key_is_refused_without_showing_it(openai_server: OpenAIServer) -> None:
    wrong = OpenAIEmbedder(base_url=openai_server.base_url, api_key="sk-wrong-key")
    with pytest.raises(AccessRefused) as caught:
        embed(wrong, ["a"])
    assert "wrong-key" not in str(caught.value)
    assert "wrong-key" not in repr(wrong)


def test_missing_api_key_is_refused() -> None:
    with pytest.raises(UsageError, match="OPENAI_API_KEY"):
        get_embedder("openai")


def test_rows_are_put_in_the_order_of_their_index() -> None:
    data = [{"index": 1, "embedding": [0.0, 1.0]}, {"index": 0, "embedding": [1.0, 0.0]}]
    assert LOOPBACK.decode(json.dumps({"data": data}).encode()) == [[1.0, 0.0], [0.0, 1.0]]


@for_each("body", [b"", b"<html>", b'{"data": 1}', b'{"data": [{"embedding": "@@@"}]}'])
def test_invalid_openai_response_raises_provider_error(body: bytes) -> None:
    with pytest.raises(ProviderError, match="not a list of embeddings"):
        LOOPBACK.decode(body)
