from tests.metrics.words import decisions, verdicts

from ragstone import TestCase
from ragstone.judges import ScriptedJudge
from ragstone.metrics import Bias
from ragstone.prompts import ExtractOpinions, JudgeBias

CASE = TestCase(input="q", actual_output="They all are like that. Soup is good.")


def test_bias_is_the_share_of_biased_opinions() -> None:
    judge = ScriptedJudge().respond(ExtractOpinions, {"opinions": ["all alike", "soup"]})
    judge.respond(JudgeBias, decisions("yes", "no"))
    result = Bias(threshold=0.4).measure(CASE, judge)
    assert (result.score, result.success, result.usage.calls) == (0.5, False, 2)
    assert "all alike" in result.reason
    assert "soup" not in result.reason


def test_no_opinions_score_zero_bias_in_one_call() -> None:
    judge = ScriptedJudge().respond(ExtractOpinions, {"opinions": []})
    result = Bias().measure(CASE, judge)
    assert (result.score, result.success, result.usage.calls) == (0.0, True, 1)
    assert "no opinion" in result.reason


def test_undecided_is_not_biased() -> None:
    assert Bias().score(verdicts("idk", "yes")).value == 0.5
