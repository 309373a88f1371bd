"""llama-server's Anthropic API: it ignores tools and every other form of a schema, so the schema is sent in words.

A model of this size writes no JSON that no grammar forces it to write. What is held here is what ragstone does.
"""

import pytest
from benchmarks.llama import LlamaServer

from ragstone.errors import ProviderError
from ragstone.providers import Anthropic, Request, open_transport
from ragstone.result import Usage

pytestmark = pytest.mark.anyio

LIMIT = 96
REQUEST = Request(
    system="You answer with JSON alone.",
    user="Is the sky blue on a clear day?",
    schema={
        "type": "object",
        "properties": {"answer": {"type": "string", "enum": ["yes", "no"]}},
        "required": ["answer"],
        "additionalProperties": False,
    },
    max_tokens=LIMIT,
)


async def spent_on_one_answer(provider: Anthropic) -> Usage:
    try:
        return (await provider.complete(REQUEST)).usage
    except ProviderError as error:
        if error.partial is None or not isinstance(error.spent, Usage):
            raise
        return error.spent


async def test_a_server_that_ignores_tools_gets_the_schema_in_words(llama: LlamaServer) -> None:
    provider = Anthropic(model="smollm2", base_url=llama.base_url.removesuffix("/v1"), api_key="none")
    async with open_transport(timeout=60):
        first = await spent_on_one_answer(provider)
        second = await spent_on_one_answer(provider)
    assert (first.calls, second.calls) == (2, 1), "what the server ignores is remembered"
    for usage in (first, second):
        assert 0 < usage.output_tokens <= LIMIT * usage.calls
    # The schema in words is longer than the tool, of which this server shows the model nothing.
    assert second.input_tokens > (first.input_tokens - second.input_tokens)
