import pytest

from ragstone import TestCase
from ragstone.judges import ScriptedJudge
from ragstone.metrics import Groundedness
from ragstone.prompts import ExtractStatements, RateStatement

CASE = TestCase(
    input="q", actual_output="It was built in 1889. I do not know by whom.", retrieval_context=["Built 1889."]
)


def test_ratings_of_each_statement_are_averaged_over_three() -> None:
    judge = ScriptedJudge().respond(ExtractStatements, {"statements": ["a", "b"]})
    judge.respond(RateStatement, [{"reason": "“Built 1889.”", "score": 3}, {"reason": "none", "score": 1}])
    result = Groundedness().measure(CASE, judge)
    assert result.score == pytest.approx(4 / 6)
    assert result.usage.calls == 3
    assert result.metadata["ratings"][0]["reason"] == "“Built 1889.”"
    assert result.metadata["scale"] == [0, 3]


def test_abstention_is_rated_as_a_statement() -> None:
    judge = ScriptedJudge().respond(ExtractStatements, {"statements": ["I do not know by whom."]})
    judge.respond(RateStatement, {"reason": "a refusal", "score": 3})
    assert Groundedness().measure(CASE, judge).score == 1.0


def test_no_statement_is_one_with_a_reason() -> None:
    judge = ScriptedJudge().respond(ExtractStatements, {"statements": []})
    result = Groundedness().measure(CASE, judge)
    assert result.score == 1.0
    assert "no statement" in result.reason


def test_code_in_judge_answers_is_not_executed() -> None:
    """A peer hands the judge's list of statements to eval()."""
    code = "__import__('os').abort()"
    judge = ScriptedJudge().respond(ExtractStatements, {"statements": [code, f"[{code}]"]})
    judge.respond(RateStatement, {"reason": code, "score": 0})
    result = Groundedness().measure(CASE, judge)
    assert result.score == 0.0
    assert result.metadata["ratings"][0]["text"] == code
