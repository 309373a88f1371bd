"""llama-server's Anthropic API: it ignores tools and every other form of a schema, so the schema is sent in words.

A model of this size writes no JSON that no grammar forces it to write. What is held here is what ragstone does.
"""

import pytest
from benchmarks.llama import LlamaServer

from ragstone.errors import JudgeError
from ragstone.judges import LLMJudge
from ragstone.prompts import ExtractClaims
from ragstone.providers import Anthropic, open_transport
from ragstone.result import Usage

pytestmark = pytest.mark.anyio

LIMIT = 96


async def spent_on(judge: LLMJudge, text: str) -> Usage:
    try:
        return (await judge.ask(ExtractClaims(text=text))).usage
    except JudgeError as error:
        if not isinstance(error.spent, Usage):
            raise
        return error.spent


async def test_a_server_that_ignores_tools_gets_the_schema_in_words(llama: LlamaServer) -> None:
    base_url = llama.base_url.removesuffix("/v1")
    options = {"max_tokens": LIMIT}
    judge = LLMJudge(provider=Anthropic(model="smollm2", base_url=base_url, api_key="none", options=options))
    async with open_transport(timeout=60) as transport:
        for number, findings in enumerate((frozenset[str](), frozenset({"schema"})), 1):
            usage = await spent_on(judge, f"The sky is blue on day {number}.")
            assert usage.calls >= 2, "it is asked again with the schema in words"
            assert 0 < usage.output_tokens <= LIMIT * usage.calls
            assert transport.unsupported_parameters(judge.name, "smollm2") == findings
