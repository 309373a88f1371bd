import pytest
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.judges import ScriptedJudge
from ragstone.metrics import AnswerRelevance
from ragstone.prompts import RateAnswer


@for_each("rating, score, passes", [(3, 1.0, True), (2, 2 / 3, True), (1, 1 / 3, False), (0, 0.0, False)])
def test_answer_relevance_is_the_rating_over_three(rating: int, score: float, *, passes: bool) -> None:
    judge = ScriptedJudge().respond(RateAnswer, {"reason": "why", "score": rating})
    result = AnswerRelevance().measure(TestCase(input="q", actual_output="a"), judge)
    assert result.score == pytest.approx(score)
    assert result.success is passes
    assert result.usage.calls == 1
    assert "why" in result.metadata["ratings"][0]["reason"]
