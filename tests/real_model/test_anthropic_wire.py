"""llama-server's Anthropic door: it ignores a forced tool, so the schema has to be asked for in words."""

from tests.real_model.llama import LlamaServer
from tests.real_model.test_openai_wire import CASES, results

from ragstone import evaluate
from ragstone.judges import LLMJudge
from ragstone.providers import Anthropic


def test_a_server_that_ignores_tools_is_asked_for_json_in_words(llama: LlamaServer) -> None:
    provider = Anthropic(model="smollm2", base_url=llama.base_url.removesuffix("/v1"), api_key="none")
    report = evaluate(CASES, ["hallucination"], judge=LLMJudge(provider=provider), timeout=60)
    measured = [result for result in results(report) if result.error is None]
    assert measured, [result.error for result in results(report)]
