import pytest
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.audit import AskPrompt
from ragstone.errors import MissingField, UnknownName
from ragstone.judges import ScriptedJudge
from ragstone.metrics import parse
from ragstone.prompts import JudgeAgreement, JudgeClaims, JudgeStatements

CASE = TestCase(input="q?", actual_output="Two facts. In one text.", retrieval_context=["p1", "p2"])


def said(*words: str) -> dict[str, object]:
    return {"verdicts": [{"reason": f"r{n}", "verdict": word} for n, word in enumerate(words)]}


@for_each("word, score", [("yes", 1.0), ("no", 0.0), ("idk", 0.0)])
def test_actual_output_is_judged_as_one_claim(word: str, score: float) -> None:
    judge = ScriptedJudge().respond(JudgeClaims, said(word))
    found = AskPrompt(prompt="judge_claims").measure(CASE, judge)
    assert (found.score, found.reason) == (score, "r0")
    assert "1| Two facts. In one text." in judge.prompts[0]
    assert len(judge.prompts) == 1


def test_judge_agreement_requires_agreement_with_every_context() -> None:
    judge = ScriptedJudge().respond(JudgeAgreement, said("yes", "no")).respond(JudgeStatements, said("yes"))
    assert AskPrompt(prompt="judge_agreement").measure(CASE, judge).score == 0.0
    assert AskPrompt(prompt="judge_statements").measure(CASE, judge).score == 1.0


def test_judge_probability_becomes_the_score() -> None:
    score = AskPrompt(prompt="judge_claims").measure(CASE, "local").score
    assert score is not None
    assert 0.0 < score < 1.0


def test_ask_prompt_round_trips_through_its_spec() -> None:
    metric = AskPrompt(prompt="judge_claims", threshold=0.7)
    assert parse(repr(metric)) == metric


def test_unknown_prompt_and_missing_field_raise() -> None:
    with pytest.raises(UnknownName, match=r"'judge_claim'\. Did you mean 'judge_claims'"):
        AskPrompt(prompt="judge_claim")
    with pytest.raises(MissingField, match="retrieval_context"):
        AskPrompt(prompt="judge_claims").measure(TestCase(input="q", actual_output="a"), "local")
