"""Asked several times, a case is decided by the interval of the judge's mean answer."""

import pytest
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.judges import ScriptedJudge
from ragstone.metrics import Faithfulness
from ragstone.prompts import ExtractClaims, JudgeClaims
from ragstone.result import Result, Usage
from ragstone.testing import assert_fails, assert_passes
from ragstone.testing._outcomes import combine_repeats

CASE = TestCase(input="Q?", actual_output="A.", retrieval_context=["P."])


def scored(*scores: float) -> list[Result]:
    return [Result(metric="M", score=score, success=score >= 0.5, usage=Usage(calls=1)) for score in scores]


@for_each(
    "scores, status",
    [
        ((1.0, 1.0), "passed"),
        ((0.0, 0.0, 0.0), "missed"),
        ((0.9, 0.8, 0.9, 0.8, 0.9), "passed"),
        ((0.6, 0.6, 0.6, 0.2, 1.0), "undecided"),  # the mean passes, four of five answers pass
        ((0.0, 0.0, 0.0, 0.0, 1.0), "undecided"),  # one lucky answer turns nothing green
    ],
)
def test_interval_of_repeats_decides_the_status(scores: tuple[float, ...], status: str) -> None:
    outcome = combine_repeats(scored(*scores))
    assert outcome.status == status
    assert outcome.result.success is (status == "passed")
    assert outcome.result.score == pytest.approx(sum(scores) / len(scores))
    assert outcome.result.usage.calls == len(scores)
    assert outcome.result.metadata["repeats"] == list(scores)


def test_combine_repeats_returns_a_single_result_unchanged() -> None:
    (result,) = scored(0.6)
    assert combine_repeats([result]).result is result


def judge_answering_in_turn(*words: str) -> ScriptedJudge:
    """A judge that changes its mind: one claim, judged by the next of `words` each time it is asked."""
    answers = [{"verdicts": [{"reason": "Mood.", "verdict": word}]} for word in words]
    return ScriptedJudge().respond(ExtractClaims, {"claims": ["One."]}).respond(JudgeClaims, answers)


def test_each_repeat_asks_the_judge_again() -> None:
    judge = judge_answering_in_turn("yes", "yes", "yes", "yes")
    metric = Faithfulness(evidence="context")
    assert assert_passes(CASE, metric, judge=judge, repeats=4).metadata["repeats"] == [1.0] * 4
    assert len(judge.prompts) == 8


def test_undecided_repeats_neither_pass_nor_fail() -> None:
    metric = Faithfulness(evidence="context")
    for assertion in (assert_passes, assert_fails):
        with pytest.raises(AssertionError) as caught:
            assertion(CASE, metric, judge=judge_answering_in_turn("yes", "no", "yes", "yes"), repeats=4)
        text = str(caught.value)
        assert "Metric evaluation is undecided unexpectedly." in text
        assert "Status:    UNDECIDED (expected" in text
        assert "mean of 4 answers" in text
        assert "95 % interval 0.00 to 1.00" in text
