import pytest
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.errors import UnreadableAnswer
from ragstone.judges import ScriptedJudge
from ragstone.metrics import ContextRelevance
from ragstone.prompts import RatePassage

CASE = TestCase(
    input="When was it built?", retrieval_context=["Built in 1889.", "Painted brown.", "It rains."]
)


def ratings(*scores: int) -> list[dict[str, object]]:
    return [{"reason": f"rated {score}", "score": score} for score in scores]


def test_ratings_of_each_passage_are_averaged_over_three() -> None:
    judge = ScriptedJudge().respond(RatePassage, ratings(3, 1, 0))
    result = ContextRelevance().measure(CASE, judge)
    assert result.score == pytest.approx(4 / 9)
    assert result.usage.calls == 3
    assert [rated["passage"] for rated in result.metadata["ratings"]] == [1, 2, 3]
    assert [verdict["verdict"] for verdict in result.metadata["verdicts"]] == ["yes", "idk", "no"]
    assert "It rains." in result.reason


@for_each("score", [4, -1, 10])
def test_context_rating_off_the_scale_is_unreadable(score: int) -> None:
    judge = ScriptedJudge().respond(RatePassage, {"reason": "r", "score": score})
    with pytest.raises(UnreadableAnswer, match=f"no score {score}"):
        ContextRelevance().measure(CASE, judge)


def test_a_digit_in_the_reason_is_not_the_rating() -> None:
    """A peer takes the smallest number it finds in the text: "1 source; score 3" became 1."""
    judge = ScriptedJudge().respond(RatePassage, {"reason": "1 source says so, 2 issues", "score": 3})
    assert ContextRelevance().measure(CASE, judge).score == 1.0


@for_each("score", ["three", None, True, 2.5])
def test_context_rating_must_be_a_whole_number(score: object) -> None:
    judge = ScriptedJudge().respond(RatePassage, {"reason": "r", "score": score})
    with pytest.raises(UnreadableAnswer):
        ContextRelevance().measure(CASE, judge)
