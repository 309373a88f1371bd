import pytest
from tests.metrics.words import decisions, verdicts
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.errors import BadOption, NotApplicable
from ragstone.judges import ScriptedJudge
from ragstone.metrics import Summarization
from ragstone.prompts import ExtractClaims, JudgeClaims, WriteQuestions

CASE = TestCase(input="SOURCE", actual_output="SUMMARY")


def judge() -> ScriptedJudge:
    scripted = ScriptedJudge().respond(ExtractClaims, {"claims": ["a", "b", "c", "d"]})
    scripted.respond(JudgeClaims, decisions("yes", "yes", "idk", "no"))
    scripted.respond(WriteQuestions, {"questions": ["Q1?", "Q2?", "Q3?"]})
    scripted.respond(r"(?s)\| SOURCE.*Answer each", decisions("yes", "yes", "no"))
    return scripted.respond(r"(?s)\| SUMMARY.*Answer each", decisions("yes", "yes", "yes"))


def test_the_worse_of_alignment_and_coverage() -> None:
    result = Summarization().measure(CASE, judge())
    assert result.metadata["alignment"] == 0.5
    assert result.metadata["coverage"] == 1.0
    assert (result.score, result.usage.calls) == (0.5, 5)


def test_questions_are_written_anew_for_each_source() -> None:
    """A peer keeps those of the first document for all others."""
    metric, scripted = Summarization(), judge()
    for text in ("SOURCE", "SOURCE, another"):
        metric.measure(TestCase(input=text, actual_output="SUMMARY"), scripted)
    assert sum("Write up to 5 yes/no questions" in prompt for prompt in scripted.prompts) == 2


def test_assessment_questions_save_a_judge_call() -> None:
    scripted = judge()
    result = Summarization(assessment_questions=["1?", "2?", "3?"]).measure(CASE, scripted)
    assert result.usage.calls == 4


def test_no_claims_score_one_and_no_answerable_questions_raise() -> None:
    assert Summarization().score([], verdicts("yes", "no"), verdicts("yes", "yes")).value == 1.0
    with pytest.raises(NotApplicable, match="coverage"):
        Summarization().score(verdicts("yes"), verdicts("no", "idk"), verdicts("yes", "yes"))


@for_each("options", [{"questions": 0}, {"assessment_questions": []}, {"assessment_questions": "Q?"}])
def test_summarization_refuses_invalid_options(options: dict) -> None:
    with pytest.raises(BadOption):
        Summarization(**options)
