from pathlib import Path

from tests.servers.fixtures import serving
from tests.servers.openai import OpenAIServer
from tests.servers.script import Script, every
from tests.testing.for_each import for_each

from ragstone import TestCase, evaluate
from ragstone.api import estimate
from ragstone.judges import CachedJudge, LLMJudge
from ragstone.metrics import AnswerRelevancy, ContextualPrecision, ExactMatch, Faithfulness, GEval
from ragstone.providers import OpenAI
from ragstone.runner.estimate import MOST_CASES, EstimateRange

CASES = [
    TestCase(
        input=f"Question {number}?",
        actual_output=f"It is number {number}. It is not the last of them.",
        expected_output=f"Number {number}.",
        retrieval_context=(f"Passage {number}.", "A passage that they share."),
    )
    for number in range(6)
]


def test_estimate_is_a_range_only_if_answers_matter() -> None:
    exact = estimate(CASES, [ContextualPrecision(), ExactMatch()], judge="openai")
    assert exact.calls == EstimateRange(6, 6)
    steps = estimate(CASES, [GEval(name="Fit", criteria="c")], judge="openai")
    assert steps.calls == EstimateRange(7, 7)
    ranged = estimate(CASES, [Faithfulness(), AnswerRelevancy()], judge="openai")
    assert ranged.calls == EstimateRange(12, 24)
    assert ranged.cost is not None
    assert 0 < ranged.cost.least < ranged.cost.most
    assert str(ranged).startswith("openai:gpt-4o-mini, 6 test cases:\n12 to 24 calls, ")


def test_a_real_run_takes_what_was_estimated() -> None:
    script = Script(
        claims=lambda ask: [ask.user[-8:]],
        truths=lambda ask: [ask.user[-8:]],
        verdicts=every("yes"),
        statements=["a"],
    )
    metrics = [Faithfulness(), AnswerRelevancy(), ContextualPrecision()]
    with serving(OpenAIServer(script)) as server:
        judge = LLMJudge(provider=OpenAI(api_key="sk-loopback", base_url=server.base_url))
        expected = estimate(CASES, metrics, judge=judge)
        assert server.requests == []
        report = evaluate(CASES, metrics, judge=judge)
    assert expected.calls.least <= report.usage.calls <= expected.calls.most
    assert expected.output_tokens.least <= report.usage.output_tokens <= expected.output_tokens.most


def test_estimate_excludes_cached_answers(tmp_path: Path) -> None:
    with serving(OpenAIServer(Script(verdicts=every("yes")))) as server:
        judge = LLMJudge(provider=OpenAI(api_key="sk-loopback", base_url=server.base_url))
        cached = CachedJudge(judge, tmp_path / "c")
        evaluate(CASES[:4], [ContextualPrecision()], judge=cached)
        cached.close()
    assert estimate(CASES, [ContextualPrecision()], judge=cached).calls == EstimateRange(2, 2)


def test_estimate_of_many_cases_is_extrapolated_from_a_sample() -> None:
    many = [TestCase(input=f"q{number}", actual_output=f"a {number}.") for number in range(2 * MOST_CASES)]
    found = estimate(many, [AnswerRelevancy()], judge="openai:nobody-knows")
    assert (found.cases, found.sampled) == (2 * MOST_CASES, MOST_CASES)
    assert found.calls.least == 2 * MOST_CASES
    assert "from the first 300" in str(found)
    assert "cost unknown" in str(found)


def test_estimate_tells_how_many_rows_cannot_be_read() -> None:
    found = estimate([{"input": "q", "actual_output": "a", "expected_output": "a"}, {}, {}], [ExactMatch()])
    assert (found.cases, found.rejected) == (1, 2)
    assert str(found).endswith("not read: 2 of the rows")


@for_each("preset", ["rag"])
def test_a_preset_can_be_estimated(preset: str) -> None:
    assert estimate(CASES, preset=preset, judge="openai").calls.least > 0
