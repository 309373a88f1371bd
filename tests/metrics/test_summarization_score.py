import pytest
from tests.metrics.words import decisions, verdicts
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.errors import BadOption
from ragstone.judges import ScriptedJudge
from ragstone.metrics import SummarizationScore
from ragstone.prompts import AnswerQuestions, WriteQuestions

YES = verdicts("yes", "yes")


def test_score_combines_answered_questions_and_conciseness() -> None:
    score = SummarizationScore().score(verdicts("yes", "no"), 25, 100)
    assert score.value == pytest.approx(0.5 * 0.5 + 0.5 * 0.75)
    assert "1 of 2" in score.reason


def test_without_the_penalty_the_score_is_not_halved() -> None:
    assert SummarizationScore(length_penalty=False).score(YES, 100, 100).value == 1.0
    assert SummarizationScore(length_penalty=False, compat="ragas").score(YES, 100, 100).value == 0.5


def test_a_summary_longer_than_its_source_is_not_concise() -> None:
    assert SummarizationScore(conciseness_weight=1).score(YES, 300, 100).value == 0.0


def test_two_calls_on_source_and_summary() -> None:
    judge = ScriptedJudge().respond(WriteQuestions, {"questions": ["Q1?", "Q2?"]})
    judge.respond(AnswerQuestions, decisions("yes", "idk"))
    case = TestCase(input="q", actual_output="short", context=["a long source text"])
    result = SummarizationScore(length_penalty=False).measure(case, judge)
    assert (result.score, result.usage.calls) == (0.5, 2)
    assert "Q2?" in result.reason


@for_each("options", [{"questions": 0}, {"conciseness_weight": 1.5}])
def test_summarization_score_refuses_invalid_options(options: dict) -> None:
    with pytest.raises(BadOption):
        SummarizationScore(**options)
