from typing import Any

import pytest
from tests.metrics.words import decisions, verdicts
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.errors import BadOption, UnreadableAnswer
from ragstone.judges import ScriptedJudge
from ragstone.metrics import Faithfulness
from ragstone.prompts import ExtractClaims, ExtractTruths, JudgeClaims, SummariseReasons

CASE = TestCase(
    input="What is the company's vacation policy?",
    actual_output="Employees get 20 days of PTO per year.",
    retrieval_context=[
        "Section 3.2: Full-time employees receive 20 days paid time off annually.",
        "Section 3.3: PTO can be carried over up to 5 days.",
    ],
)


def judge_of(*words: str) -> ScriptedJudge:
    judge = ScriptedJudge().respond(
        ExtractClaims, {"claims": [f"claim {n}" for n in range(1, len(words) + 1)]}
    )
    judge.respond(ExtractTruths, {"truths": ["20 days", "carried over"]})
    return judge.respond(JudgeClaims, decisions(*words))


def test_a_supported_claim_scores_one_in_two_calls() -> None:
    result = Faithfulness().measure(CASE, judge_of("yes"))
    assert (result.score, result.usage.calls) == (1.0, 2)
    assert "truths" not in result.metadata


def test_truths_as_evidence_take_one_more_call() -> None:
    result = Faithfulness(evidence="truths").measure(CASE, judge_of("yes"))
    assert result.score == 1.0
    assert result.usage.calls == 3
    assert result.metadata["truths"] == ["20 days", "carried over"]


def test_one_of_two_claims_contradicted() -> None:
    result = Faithfulness(threshold=0.7).measure(CASE, judge_of("yes", "no"))
    assert result.score == 0.5
    assert not result.success
    assert "claim 2" in result.reason


def test_unmentioned_claims_lower_the_score_unless_only_contradictions_count() -> None:
    assert Faithfulness().score(verdicts("yes", "idk")).value == 0.5
    assert Faithfulness(penalize_ambiguous_claims=False).score(verdicts("yes", "idk")).value == 1.0


def test_no_claims_scores_one_and_asks_no_verdict() -> None:
    result = Faithfulness().measure(CASE, judge_of())
    assert result.score == 1.0
    assert "no claim" in result.reason
    assert result.usage.calls == 1


def test_one_verdict_for_four_claims_is_unreadable() -> None:
    judge = (
        ScriptedJudge()
        .respond(ExtractClaims, {"claims": list("abcd")})
        .respond(ExtractTruths, {"truths": ["t"]})
    )
    judge.respond(JudgeClaims, decisions("yes"))
    with pytest.raises(UnreadableAnswer, match="missing: 2, 3, 4"):
        Faithfulness().measure(CASE, judge)


def test_claims_are_judged_on_the_passages() -> None:
    judge = judge_of("yes", "no")
    Faithfulness().measure(CASE, judge)
    assert "1| Section 3.2" in judge.prompts[1]


def test_claims_are_judged_in_batches() -> None:
    judge = ScriptedJudge().respond(ExtractClaims, {"claims": list("abcde")})
    judge.respond(JudgeClaims, [decisions("yes", "yes"), decisions("no", "idk"), decisions("yes")])
    result = Faithfulness(batch_size=2).measure(CASE, judge)
    assert result.score == 0.6
    assert result.usage.calls == 4
    assert [verdict["statement"] for verdict in result.metadata["verdicts"]] == list("abcde")


def test_truths_extraction_limit_is_in_the_prompt() -> None:
    judge = judge_of("yes")
    Faithfulness(evidence="truths", truths_extraction_limit=3).measure(CASE, judge)
    assert any("the 3 most important" in prompt for prompt in judge.prompts)


@for_each(
    "options",
    [
        {"truths_extraction_limit": 0, "evidence": "truths"},
        {"truths_extraction_limit": 3},
        {"batch_size": 0},
        {"evidence": "web"},
    ],
)
def test_faithfulness_refuses_invalid_options(options: Any) -> None:
    with pytest.raises(BadOption):
        Faithfulness(**options)


def test_reason_written_by_judge_takes_one_more_call() -> None:
    judge = judge_of("yes", "no").respond(SummariseReasons, {"reason": "It says otherwise."})
    result = Faithfulness(reason_style="judge").measure(CASE, judge)
    assert (result.reason, result.usage.calls) == ("It says otherwise.", 3)
    assert Faithfulness(include_reason=False).measure(CASE, judge_of("no")).reason is None
