import pytest
from tests.metrics.words import decisions

from ragstone import TestCase, Turn
from ragstone.errors import NotApplicable, UnreadableAnswer
from ragstone.judges import ScriptedJudge
from ragstone.metrics import TurnRelevancy
from ragstone.prompts import JudgeReplies

CASE = TestCase(
    turns=[
        turn
        for number in range(1, 6)
        for turn in (
            Turn(role="user", content=f"question {number}"),
            Turn(role="assistant", content=f"reply {number}"),
        )
    ]
)


def test_four_of_five_replies_relevant_is_0_8() -> None:
    judge = ScriptedJudge().respond(JudgeReplies, decisions("no", "yes", "yes", "yes", "yes"))
    result = TurnRelevancy().measure(CASE, judge)
    assert (result.score, result.usage.calls) == (0.8, 1)
    assert "reply 1" in result.reason
    assert "2| assistant: reply 1" in judge.prompts[0]


def test_missing_turn_verdicts_are_unreadable() -> None:
    judge = ScriptedJudge().respond(JudgeReplies, decisions("yes"))
    with pytest.raises(UnreadableAnswer, match="missing: 2, 3, 4, 5"):
        TurnRelevancy().measure(CASE, judge)


def test_turn_relevancy_without_replies_is_not_applicable() -> None:
    with pytest.raises(NotApplicable):
        TurnRelevancy().measure(TestCase(turns=[Turn(role="user", content="Hello?")]), ScriptedJudge())
