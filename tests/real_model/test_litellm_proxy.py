"""LiteLLM's proxy between ragstone and llama-server, on both wires; skipped where `RAGSTONE_LITELLM` names no proxy."""

from collections.abc import Iterator

import pytest
from benchmarks.litellm_proxy import KEY, LiteLLMProxy, missing
from benchmarks.llama import LlamaServer
from tests.real_model.test_anthropic_wire import LIMIT, spent_on
from tests.real_model.test_openai_wire import CASES, results

from ragstone import evaluate
from ragstone.judges import LLMJudge
from ragstone.providers import Anthropic, OpenAI, open_transport

pytestmark = pytest.mark.skipif(missing() is not None, reason=missing() or "")


@pytest.fixture(scope="module")
def proxy(llama: LlamaServer) -> Iterator[LiteLLMProxy]:
    with LiteLLMProxy(llama) as running:
        yield running


def judge(proxy: LiteLLMProxy) -> LLMJudge:
    return LLMJudge(provider=OpenAI(model="smollm2", base_url=f"{proxy.origin}/v1", api_key=KEY))


def test_each_claim_gets_its_verdict_through_the_proxy(proxy: LiteLLMProxy) -> None:
    report = evaluate(CASES, ["faithfulness(evidence='context')"], judge=judge(proxy), timeout=120)
    for result in results(report):
        assert result.error is None
        assert result.usage.calls == 2, "the proxy hands the schema on, counts included"
        assert len(result.metadata["verdicts"]) == len(result.metadata["claims"]) > 0


def test_g_eval_reads_its_score_from_the_log_probabilities(proxy: LiteLLMProxy) -> None:
    spec = "g_eval(name='Tone', criteria='Is the answer polite?', evaluation_params=['actual_output'])"
    for result in results(evaluate(CASES, [spec], judge=judge(proxy), timeout=120)):
        assert result.error is None
        assert result.metadata["mode"] == "logprobs"
        assert sum(result.metadata["distribution"].values()) == pytest.approx(1)


@pytest.mark.anyio
async def test_anthropic_wire_output_stays_within_max_tokens(proxy: LiteLLMProxy) -> None:
    options = {"max_tokens": LIMIT}
    asked = LLMJudge(provider=Anthropic(model="smollm2", base_url=proxy.origin, api_key=KEY, options=options))
    async with open_transport(timeout=120):
        for number in (1, 2):
            usage = await spent_on(asked, f"The sky is blue on day {number}.")
            assert 0 < usage.output_tokens <= LIMIT * usage.calls
