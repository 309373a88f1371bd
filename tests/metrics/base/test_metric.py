import asyncio

import pytest
from tests.metrics.words import decisions
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.errors import BadOption, MissingField
from ragstone.judges import ScriptedJudge
from ragstone.metrics import AnswerRelevancy, Hallucination
from ragstone.prompts import ExtractStatements, JudgeStatements

CASE = TestCase(input="q", actual_output="a", name="first")


def judge() -> ScriptedJudge:
    scripted = ScriptedJudge().respond(ExtractStatements, {"statements": ["s", "t", "u", "v"]})
    return scripted.respond(JudgeStatements, decisions("yes", "yes", "yes", "no"))


def test_result_holds_spec_case_id_judge_and_usage() -> None:
    result = AnswerRelevancy(threshold=0.7).measure(CASE, judge())
    assert str(result).startswith("AnswerRelevancy: PASS (75.0%) - 3 of 4 statements")
    assert (result.spec, result.case_id, result.judge) == (
        "answer_relevancy(threshold=0.7)",
        CASE.id,
        "scripted",
    )
    assert result.latency_ms > 0
    assert result.usage.calls == 2


def test_measure_and_ameasure_give_the_same_score() -> None:
    there = asyncio.run(AnswerRelevancy().ameasure(CASE, judge()))
    assert there.score == AnswerRelevancy().measure(CASE, judge()).score


def test_measure_works_inside_a_running_event_loop() -> None:
    async def notebook() -> float | None:
        return AnswerRelevancy().measure(CASE, judge()).score

    assert asyncio.run(notebook()) == 0.75


def test_a_missing_field_names_metric_case_and_field() -> None:
    with pytest.raises(MissingField, match="Hallucination needs 'context': not given by test case 'first'"):
        Hallucination().measure(CASE, judge())
    with pytest.raises(MissingField, match="actual_output"):
        AnswerRelevancy().measure(TestCase(input="q", actual_output="  "), judge())


@for_each("score, reported, passes", [(1.0, 1.0, True), (0.99, 0.0, False)])
def test_strict_mode_reports_zero_or_one(score: float, reported: float, *, passes: bool) -> None:
    assert AnswerRelevancy(strict_mode=True).reported(score) == reported
    assert Hallucination(strict_mode=True).reported(1 - score) == 1 - reported
    assert passes == (reported == 1.0)


def test_a_reason_style_that_does_not_exist_is_refused() -> None:
    with pytest.raises(BadOption):
        AnswerRelevancy(reason_style="poem")  # type: ignore[arg-type]
