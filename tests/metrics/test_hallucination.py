from typing import Any

import pytest
from tests.metrics.words import decisions, verdicts
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.judges import ScriptedJudge
from ragstone.metrics import Hallucination
from ragstone.prompts import JudgeAgreement

CASE = TestCase(
    input="What year did Einstein win the Nobel Prize?",
    actual_output="Einstein won the Nobel Prize in 1969.",
    context=["Einstein won the Nobel Prize in 1921.", "Einstein won it for the photoelectric effect."],
)


@for_each("threshold, passes", [(0.5, True), (0.3, False)])
def test_one_of_two_contexts_contradicted(threshold: Any, passes: Any) -> None:
    judge = ScriptedJudge().respond(JudgeAgreement, decisions("no", "yes"))
    result = Hallucination(threshold=threshold).measure(CASE, judge)
    assert result.score == 0.5
    assert result.success is passes
    assert result.usage.calls == 1
    assert not result.higher_is_better
    assert "1921" in result.reason


def test_one_of_three_contexts_contradicted_passes() -> None:
    case = CASE.model_copy(update={"context": ("a", "b", "c")})
    result = Hallucination().measure(
        case, ScriptedJudge().respond(JudgeAgreement, decisions("no", "yes", "yes"))
    )
    assert result.score == pytest.approx(1 / 3)
    assert result.success


def test_retrieval_context_replaces_missing_context() -> None:
    case = TestCase(input="q", actual_output="a", retrieval_context=["one", "two"])
    judge = ScriptedJudge().respond(JudgeAgreement, decisions("yes", "yes"))
    assert Hallucination().measure(case, judge).score == 0.0


def test_strict_mode_turns_any_contradiction_into_one() -> None:
    judge = ScriptedJudge().respond(JudgeAgreement, decisions("no", "yes"))
    result = Hallucination(strict_mode=True).measure(CASE, judge)
    assert (result.score, result.success, result.threshold) == (1.0, False, 0.0)


def test_undecided_context_is_not_contradicted() -> None:
    assert Hallucination().score(verdicts("idk", "yes")).value == 0.0
