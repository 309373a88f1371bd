import pytest
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.errors import UnreadableAnswer
from ragstone.judges import ScriptedJudge
from ragstone.metrics import JointContextRelevance
from ragstone.prompts import RateContexts

CASE = TestCase(input="q", actual_output="a", expected_output="b", retrieval_context=["p"])


def judge_rating(*scores: object) -> ScriptedJudge:
    return ScriptedJudge(attempts=1).respond(
        RateContexts, [{"reason": f"rated {score}", "score": score} for score in scores]
    )


def test_joint_relevance_is_the_mean_of_two_wordings() -> None:
    judge = judge_rating(2, 0)
    result = JointContextRelevance().measure(CASE, judge)
    assert result.score == 0.5
    assert result.usage.calls == 2
    assert result.metadata["agreement"] is False
    assert judge.prompts[0] != judge.prompts[1]
    assert JointContextRelevance().measure(CASE, judge_rating(2, 2)).score == 1.0


@for_each("score", [10, -1, 2 + 1, "2 of 2"])
def test_joint_relevance_rating_off_the_scale_is_unreadable(score: object) -> None:
    """A peer takes the first digit that occurs: "2, no error (0)" became 0."""
    with pytest.raises(UnreadableAnswer):
        JointContextRelevance().measure(CASE, judge_rating(score, score))


def test_joint_relevance_fails_if_one_of_two_ratings_is_unreadable() -> None:
    with pytest.raises(UnreadableAnswer):
        JointContextRelevance().measure(CASE, judge_rating(2, 99))
