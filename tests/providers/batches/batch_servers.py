"""Errands to a strict server of the vendor: where the tests of both vendors' batches start."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from time import time
from typing import Any, TypeVar

from tests.servers._server import JudgeServer

from ragstone.providers import Anthropic, OpenAI, Request, open_transport
from ragstone.providers.batches.api import BatchApi, BatchClient, BatchLabel
from ragstone.providers.batches.client import batch_client
from ragstone.providers.http.endpoint import Endpoint
from ragstone.providers.http.retry import Retry
from ragstone.providers.openai import encode as encode_chat

T = TypeVar("T")
SCHEMA = {
    "type": "object",
    "properties": {"score": {"type": "integer"}},
    "required": ["score"],
    "additionalProperties": False,
}


def place_of(server: JudgeServer, **options: Any) -> Endpoint:
    """Where the provider asks, with its batches."""
    if server.vendor == "openai":
        return OpenAI(base_url=server.base_url, **{"api_key": "sk-loopback", **options})._endpoint
    return Anthropic(base_url=server.base_url, **{"api_key": "sk-ant-loopback", **options})._endpoint


def body(server: JudgeServer, user: str, model: str | None = None) -> bytes:
    """A request as the provider writes it."""
    request = Request(system="You are a judge.", user=user, schema=SCHEMA)
    if server.vendor == "openai":
        return json.dumps(encode_chat(model or "gpt-4o-mini", request, {})).encode()
    provider = Anthropic(base_url="http://x", model=model or "claude-haiku-4-5")
    return json.dumps(provider.encode(request)).encode()


def talk(
    server: JudgeServer, conversation: Callable[[BatchClient, BatchApi], Awaitable[T]], **options: Any
) -> T:
    """Run errands on one transport."""

    async def main() -> T:
        place = place_of(server, **options)
        assert place.batches is not None
        async with open_transport(timeout=60, retry=Retry(base=0.01)) as transport:
            return await conversation(batch_client(transport, place, place.batches, 0.01), place.batches)

    return asyncio.run(main())


def label(*keys: str, number: int = 1, known: tuple[str, ...] = ()) -> BatchLabel:
    return BatchLabel("run-1", number, keys, since=time(), known=known)
