from ragstone import TestCase
from ragstone.judges import ScriptedJudge
from ragstone.metrics import Recall


def test_recall_at_1_of_relevant_first_id_is_one() -> None:
    case = TestCase(input="q", retrieved_ids=["a", "b"], relevant_ids=["a"])
    result = Recall(k=1).measure(case, ScriptedJudge())
    assert (result.score, result.metric, result.metadata["found"]) == (1.0, "Recall@1", ["a"])


def test_recall_at_1_of_relevant_second_id_is_zero() -> None:
    score = Recall(k=2).score(["a", "b"], {"b": 1}).value
    assert 0 < score <= 1
    assert Recall(k=1).score(["a", "b"], {"b": 1}).value == 0.0
