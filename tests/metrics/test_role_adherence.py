import pytest
from tests.metrics.words import decisions

from ragstone import TestCase, Turn
from ragstone.errors import NotApplicable
from ragstone.judges import ScriptedJudge
from ragstone.metrics import RoleAdherence
from ragstone.prompts import JudgeRole

TURNS = (Turn(role="user", content="Who are you?"), Turn(role="assistant", content="A pirate."))


def test_the_role_of_the_metric_or_of_the_test_case() -> None:
    judge = ScriptedJudge().respond(JudgeRole, decisions("no"))
    assert RoleAdherence(role="a bank clerk").measure(TestCase(turns=TURNS), judge).score == 0.0
    case = TestCase(turns=TURNS, metadata={"chatbot_role": "a teacher"})
    RoleAdherence().measure(case, judge)
    assert "| a bank clerk" in judge.prompts[0]
    assert "| a teacher" in judge.prompts[1]


def test_missing_role_is_not_applicable() -> None:
    with pytest.raises(NotApplicable, match="chatbot_role"):
        RoleAdherence().measure(TestCase(turns=TURNS), ScriptedJudge())
