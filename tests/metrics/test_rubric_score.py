import pytest
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.errors import BadOption, UnreadableAnswer
from ragstone.judges import ScriptedJudge
from ragstone.metrics import RubricScore, parse
from ragstone.prompts import FillForm

CASE = TestCase(input="q", actual_output="a")
OWN = [(3, "poor"), ((4, 6), "fair"), (7, "good")]


def rated(score: int) -> ScriptedJudge:
    return ScriptedJudge(attempts=1).respond(FillForm, {"reason": "r", "score": score})


def test_the_general_rubric_goes_from_one_to_five() -> None:
    assert RubricScore().measure(CASE, rated(4)).score == 0.75
    assert RubricScore().measure(CASE, rated(1)).score == 0.0


def test_a_rubric_of_the_metric_or_of_the_test_case() -> None:
    result = RubricScore(rubric=OWN).measure(CASE, rated(5))
    assert (result.score, result.metadata["line"]) == (0.5, "fair")
    case = CASE.model_copy(update={"metadata": {"rubric": [[0, "bad"], [1, "good"]]}})
    assert RubricScore().measure(case, rated(1)).score == 1.0


def test_a_score_outside_the_rubric_is_never_clamped() -> None:
    with pytest.raises(UnreadableAnswer, match="outside the range 3 to 7"):
        RubricScore(rubric=OWN).measure(CASE, rated(10))


@for_each("rubric", [[(5, "only")], [], [(1, "a"), (1, "b")], ["good"]])
def test_invalid_rubric_is_refused(rubric: list) -> None:
    """A peer divides by zero on a rubric of one point."""
    with pytest.raises(BadOption):
        RubricScore(rubric=rubric)


def test_rubric_score_round_trips_through_its_spec() -> None:
    assert parse(repr(RubricScore(rubric=OWN))) == RubricScore(rubric=OWN)
