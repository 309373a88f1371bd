import pytest
from tests.metrics.words import decisions

from ragstone import TestCase, Turn
from ragstone.errors import NotApplicable
from ragstone.judges import ScriptedJudge
from ragstone.metrics import ConversationCompleteness
from ragstone.prompts import ExtractIntentions, JudgeIntentions

CASE = TestCase(turns=[Turn(role="user", content="Book and pay."), Turn(role="assistant", content="Booked.")])


def test_completeness_is_the_share_of_satisfied_intentions() -> None:
    judge = ScriptedJudge().respond(ExtractIntentions, {"intentions": ["book", "pay"]})
    judge.respond(JudgeIntentions, decisions("yes", "no"))
    result = ConversationCompleteness().measure(CASE, judge)
    assert (result.score, result.usage.calls) == (0.5, 2)
    assert "pay" in result.reason


def test_conversation_without_intentions_is_not_applicable() -> None:
    judge = ScriptedJudge().respond(ExtractIntentions, {"intentions": []})
    with pytest.raises(NotApplicable):
        ConversationCompleteness().measure(CASE, judge)
