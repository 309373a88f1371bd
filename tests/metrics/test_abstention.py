from typing import Any

import pytest
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.errors import CannotJudge, NotApplicable
from ragstone.judges import ScriptedJudge
from ragstone.metrics import Abstention
from ragstone.metrics.abstention import answerable
from ragstone.prompts import JudgeAbstention

DECLINED, ANSWERED = ({"reason": "r", "verdict": word} for word in ("declined", "answered"))


def case(**fields: Any) -> TestCase:
    return TestCase(**{"input": "When was it built?", "actual_output": "I do not know.", **fields})


@for_each(
    "fields, said, score",
    [
        ({"expected_output": "1889"}, ANSWERED, 1),
        ({"expected_output": "1889"}, DECLINED, 0),
        ({"metadata": {"answerable": False}}, DECLINED, 1),
        ({"metadata": {"answerable": False}}, ANSWERED, 0),
        ({"metadata": {"answerable": True}}, ANSWERED, 1),
        ({"metadata": {"answerable": False}, "expected_output": "Not in the sources."}, DECLINED, 1),
    ],
)
def test_abstention_score_depends_on_answerability(fields: Any, said: Any, score: float) -> None:
    result = Abstention().measure(case(**fields), ScriptedJudge().respond(JudgeAbstention, said))
    assert result.score == score
    assert result.success is (score == 1)
    assert result.metadata["declined"] is (said is DECLINED)
    assert result.usage.calls == 1


def test_unknown_answerability_is_not_applicable_without_judge_call() -> None:
    judge = ScriptedJudge()
    with pytest.raises(NotApplicable, match="answerable"):
        Abstention().measure(case(), judge)
    assert not judge.prompts
    assert answerable(case(metadata={"answerable": "no"})) is None


def test_undecided_is_asked_again() -> None:
    judge = ScriptedJudge().respond(JudgeAbstention, [{"reason": "r", "verdict": "idk"}, DECLINED])
    assert Abstention().measure(case(expected_output="1889"), judge).score == 0
    assert len(judge.prompts) == 2


def test_embedded_judge_measures_abstention_in_english_only() -> None:
    result = Abstention().measure(case(metadata={"answerable": False}), "local")
    assert result.score == 1
    with pytest.raises(CannotJudge, match="English"):
        Abstention().measure(case(expected_output="1889", actual_output="わかりません。"), "local")
