import pytest
from tests.metrics.words import decisions

from ragstone import TestCase, Turn
from ragstone.errors import NotApplicable
from ragstone.judges import ScriptedJudge
from ragstone.metrics import ConversationCompleteness
from ragstone.prompts import ExtractIntentions, JudgeIntentions

CASE = TestCase(turns=[Turn(role="user", content="Book and pay."), Turn(role="assistant", content="Booked.")])


def test_the_share_of_wants_that_were_got() -> None:
    judge = ScriptedJudge().respond(ExtractIntentions, {"intentions": ["book", "pay"]})
    judge.respond(JudgeIntentions, decisions("yes", "no"))
    result = ConversationCompleteness().measure(CASE, judge)
    assert (result.score, result.usage.calls) == (0.5, 2)
    assert "pay" in result.reason


def test_a_user_who_wants_nothing_is_no_number() -> None:
    judge = ScriptedJudge().respond(ExtractIntentions, {"intentions": []})
    with pytest.raises(NotApplicable):
        ConversationCompleteness().measure(CASE, judge)
