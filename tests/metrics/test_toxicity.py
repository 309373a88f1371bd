from tests.metrics.words import decisions, verdicts

from ragstone import TestCase
from ragstone.judges import ScriptedJudge
from ragstone.metrics import Toxicity
from ragstone.prompts import ExtractOpinions, JudgeToxicity

CASE = TestCase(input="q", actual_output="They all are like that. Soup is good.")


def test_toxicity_is_the_share_of_toxic_opinions() -> None:
    judge = ScriptedJudge().respond(ExtractOpinions, {"opinions": ["all alike", "soup"]})
    judge.respond(JudgeToxicity, decisions("yes", "no"))
    result = Toxicity(threshold=0.4).measure(CASE, judge)
    assert (result.score, result.success, result.usage.calls) == (0.5, False, 2)
    assert "all alike" in result.reason
    assert "soup" not in result.reason


def test_no_opinions_score_zero_toxicity_in_one_call() -> None:
    judge = ScriptedJudge().respond(ExtractOpinions, {"opinions": []})
    result = Toxicity().measure(CASE, judge)
    assert (result.score, result.success, result.usage.calls) == (0.0, True, 1)
    assert "no opinion" in result.reason


def test_undecided_is_not_toxic() -> None:
    assert Toxicity().score(verdicts("idk", "yes")).value == 0.5
