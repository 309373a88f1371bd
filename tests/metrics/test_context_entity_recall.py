import pytest

from ragstone import TestCase
from ragstone.errors import NotApplicable
from ragstone.judges import ScriptedJudge
from ragstone.metrics import ContextEntityRecall
from ragstone.prompts import ExtractEntities


def test_entities_match_regardless_of_case_and_spacing() -> None:
    score = ContextEntityRecall().score(
        ["Paris", "PARIS", "Eiffel  Tower", "1889"], ["paris", "eiffel tower"]
    )
    assert score.value == pytest.approx(2 / 3)
    assert score.metadata["missing"] == ["1889"]


def test_entity_recall_takes_two_judge_calls() -> None:
    judge = ScriptedJudge().respond("1889", {"entities": ["1889"]}).respond(ExtractEntities, {"entities": []})
    case = TestCase(input="q", expected_output="In 1889.", retrieval_context=["nothing"])
    result = ContextEntityRecall().measure(case, judge)
    assert (result.score, result.usage.calls) == (0.0, 2)


def test_no_expected_entities_is_not_applicable() -> None:
    with pytest.raises(NotApplicable):
        ContextEntityRecall().score([], ["Paris"])
