import pytest
from tests.metrics.words import decisions, verdicts

from ragstone import TestCase
from ragstone.errors import UnreadableAnswer
from ragstone.judges import ScriptedJudge
from ragstone.metrics import AnswerRelevancy
from ragstone.prompts import ExtractStatements, JudgeStatements

CASE = TestCase(
    input="What programming languages does the API support?", actual_output="Python and Go. I like tea."
)
FOUR = {"statements": ["Python", "Go", "tea", "weather"]}


def test_two_of_four_statements_relevant_is_a_half() -> None:
    judge = ScriptedJudge().respond(ExtractStatements, FOUR)
    judge.respond(JudgeStatements, decisions("yes", "yes", "no", "no"))
    result = AnswerRelevancy().measure(CASE, judge)
    assert result.score == 0.5
    assert result.usage.calls == 2
    assert "tea" in result.reason


def test_both_statements_about_ai_relevant_is_one() -> None:
    assert AnswerRelevancy().score(verdicts("yes", "yes")).value == 1.0


def test_supporting_statements_count_as_relevant() -> None:
    assert AnswerRelevancy().score(verdicts("yes", "idk")).value == 1.0
    assert AnswerRelevancy().score(verdicts("yes", "yes", "yes", "no")).value == 0.75


def test_no_statement_scores_one_in_one_call_and_says_so() -> None:
    judge = ScriptedJudge().respond(ExtractStatements, {"statements": []})
    result = AnswerRelevancy().measure(CASE, judge)
    assert result.score == 1.0
    assert "no statement" in result.reason
    assert result.usage.calls == 1


def test_verdict_words_are_read_leniently_but_unknown_ones_fail() -> None:
    judge = ScriptedJudge().respond(ExtractStatements, {"statements": ["a", "b", "c"]})
    judge.respond(JudgeStatements, decisions("Yes, because it names them", " NO. ", "borderline"))
    assert AnswerRelevancy().measure(CASE, judge).score == pytest.approx(2 / 3)
    judge = ScriptedJudge().respond(ExtractStatements, {"statements": ["a"]})
    judge.respond(JudgeStatements, decisions("certainly"))
    with pytest.raises(UnreadableAnswer):
        AnswerRelevancy().measure(CASE, judge)
