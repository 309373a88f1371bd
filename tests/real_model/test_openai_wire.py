"""llama-server's OpenAI-compatible API: schemas, log-probabilities, limits, embeddings, cached answers."""

from pathlib import Path

import pytest
from benchmarks.llama import LlamaServer

from ragstone import Report, Result, TestCase, evaluate
from ragstone.embeddings.openai import OpenAIEmbedder
from ragstone.judges import LLMJudge
from ragstone.providers import OpenAI, open_transport

CASES = [
    TestCase(
        input="How many days a week may I work from home?",
        actual_output=f"You may work from home {days} days a week. Your manager has to agree.",
        retrieval_context=["Policy 4.2: employees may work from home up to three days a week."],
    )
    for days in ("three", "five")
]


def results(report: Report) -> list[Result]:
    return [result for row in report.results for result in row]


def judge(server: LlamaServer) -> LLMJudge:
    return LLMJudge(provider=OpenAI(model="smollm2", base_url=server.base_url, api_key="none"))


def test_each_claim_gets_its_verdict_without_retries(llama: LlamaServer) -> None:
    report = evaluate(CASES[:1], ["faithfulness(evidence='context')"], judge=judge(llama), timeout=60)
    (result,) = results(report)
    assert result.error is None
    assert result.usage.calls == 2, "one call for the claims, one for their verdicts"
    verdicts = result.metadata["verdicts"]
    assert len(verdicts) == len(result.metadata["claims"]) > 0
    assert {verdict["verdict"] for verdict in verdicts} <= {"yes", "no", "idk"}


def test_second_case_gets_a_verdict_for_each_passage(llama: LlamaServer) -> None:
    """The grammar numbers the verdicts once the server is known, which its first answer shows."""
    passages = tuple(f"Room {number} is red. It has {number} doors." for number in range(1, 7))
    cases = [case.model_copy(update={"retrieval_context": passages}) for case in CASES]
    report = evaluate(cases, ["hallucination"], judge=judge(llama), timeout=120, concurrency=1)
    first, second = results(report)
    assert (first.error, second.error) == (None, None)
    assert second.usage.calls == 1
    assert len(second.metadata["verdicts"]) == 6


def test_second_case_gets_a_verdict_for_each_sentence(llama: LlamaServer) -> None:
    passages = tuple(f"Room {number} is red. It has {number} doors." for number in range(1, 4))
    questions = ("Which room is red?", "How many doors has room 2?")
    cases = [TestCase(input=question, retrieval_context=passages) for question in questions]
    report = evaluate(cases, ["contextual_relevancy"], judge=judge(llama), timeout=120, concurrency=1)
    first, second = results(report)
    assert (first.error, second.error) == (None, None)
    assert second.usage.calls == 1
    verdicts = second.metadata["verdicts"]
    assert [verdict["passage"] for verdict in verdicts] == [1, 1, 2, 2, 3, 3]
    assert verdicts[2]["statement"] == "Room 2 is red."


def test_g_eval_reads_its_score_from_the_log_probabilities(llama: LlamaServer) -> None:
    spec = "g_eval(name='Tone', criteria='Is the answer polite?', evaluation_params=['actual_output'])"
    report = evaluate(CASES, [spec], judge=judge(llama), timeout=60)
    for result in results(report):
        assert result.error is None
        assert result.metadata["mode"] == "logprobs"
        assert sum(result.metadata["distribution"].values()) == pytest.approx(1)
        assert 0 <= result.metadata["raw_score"] <= 10


def test_prompt_beyond_the_context_window_gives_server_error(llama: LlamaServer) -> None:
    case = CASES[0].model_copy(update={"retrieval_context": ["seven green lamps " * 6000]})
    (result,) = results(evaluate([case], ["context_relevance"], judge=judge(llama), timeout=60))
    assert result.score is None
    assert result.error is not None
    assert "exceeds the available context size" in result.error
    assert result.usage.calls <= 2, "one call for each wording of the question"


def test_recorded_answers_are_replayed_without_the_server(llama: LlamaServer, tmp_path: Path) -> None:
    metrics = ["faithfulness(evidence='context')", "hallucination"]
    cache = tmp_path / "cache.sqlite"
    first = evaluate(CASES[:1], metrics, judge=judge(llama), cache=cache, timeout=60)
    again = evaluate(CASES[:1], metrics, judge=judge(llama), cache=cache, offline=True)
    assert [result.score for result in results(again)] == [result.score for result in results(first)]
    assert all(result.error is None for result in results(again))


@pytest.mark.anyio
async def test_server_embeddings_are_equal_for_equal_texts() -> None:
    with LlamaServer(["--embeddings", "--pooling", "mean"]) as server:
        embedder = OpenAIEmbedder(model="smollm2", base_url=server.base_url, api_key="none")
        async with open_transport():
            rows = await embedder.embed(["a red apple", "a red apple", "tax law"])
    assert rows.shape == (3, 576)
    assert rows[0] @ rows[1] == pytest.approx(1, abs=1e-3)
    assert rows[0] @ rows[2] < 0.999
