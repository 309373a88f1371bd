import asyncio
import random
from typing import Any

import pytest
from tests.testing.for_each import for_each

from ragstone import TestCase, aevaluate, evaluate
from ragstone.engine.context import MetricContext
from ragstone.errors import BadOption, CannotJudge
from ragstone.judges import ScriptedJudge
from ragstone.metrics import GEval, Hallucination
from ragstone.metrics.base.metric import Metric
from ragstone.metrics.base.score import Score
from ragstone.prompts import DeriveSteps, FillForm, JudgeAgreement
from ragstone.result import Result, Usage
from ragstone.runner.repeats import combine, measure_repeatedly

CASE = TestCase(input="q?", actual_output="An answer.", context=["A passage."])
YES, NO = ({"verdicts": [{"reason": None, "verdict": word}]} for word in ("yes", "no"))


def result(score: float | None, **fields: Any) -> Result:
    return Result(metric="M", score=score, success=score is not None and score >= 0.5, **fields)


def test_the_judge_is_asked_each_time_with_the_same_words() -> None:
    judge = ScriptedJudge().respond(JudgeAgreement, [YES, NO, YES, YES])
    report = evaluate([CASE], Hallucination(), judge=judge, repeats=4)
    assert len(judge.prompts) == 4
    assert len(set(judge.prompts)) == 1
    found = report.results[0][0]
    assert (found.score, found.success) == (0.25, True)
    assert sorted(item["score"] for item in found.metadata["repeats"]) == [0.0, 0.0, 0.0, 1.0]
    assert found.usage.calls == 4


def test_single_measurement_has_no_repeats_metadata() -> None:
    judge = ScriptedJudge().respond(JudgeAgreement, YES)
    found = evaluate([CASE, CASE], Hallucination(), judge=judge)
    assert "repeats" not in found.results[0][0].metadata
    assert len(judge.prompts) == 1


def test_run_wide_steps_are_asked_once_for_all_repeats() -> None:
    judge = ScriptedJudge().respond(DeriveSteps, {"steps": ["a", "b", "c"]})
    judge.respond(FillForm, {"reason": "r", "score": 7})
    evaluate([CASE], GEval(name="g", criteria="good?"), judge=judge, repeats=3)
    assert len(judge.prompts) == 1 + 3


def test_results_keep_the_order_of_the_dataset() -> None:
    class Slow(Metric):
        needs = ("input",)

        async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
            del ctx
            await asyncio.sleep(random.random() / 100)
            return Score(float(case.input) / 10, "r")

    cases = [TestCase(input=str(number)) for number in range(10)]
    report = asyncio.run(aevaluate(cases, Slow(), repeats=5, concurrency=4))
    assert [results[0].score for results in report.results] == pytest.approx([n / 10 for n in range(10)])


def test_the_kept_reason_is_that_of_the_repeat_nearest_to_the_mean() -> None:
    found = combine([result(0.0, reason="low"), result(0.6, reason="middle"), result(1.0, reason="high")])
    assert found.reason == "middle"
    assert found.score == pytest.approx(1.6 / 3)


def test_failed_repeats_are_excluded_from_the_mean() -> None:
    found = combine(
        [result(None, error="TimedOut: late", usage=Usage(calls=1)), result(0.8, usage=Usage(calls=2))]
    )
    assert (found.score, found.error, found.usage.calls) == (0.8, None, 3)
    assert found.metadata["repeats"][0]["error"] == "TimedOut: late"
    assert found.evaluation_cost is None
    assert combine([result(None, skipped=True), result(None, error="x")]).status == "not_measured"
    assert combine([result(None, skipped=True), result(None, skipped=True)]).status == "skipped"


def test_lower_is_better_and_thresholds_have_their_tolerance() -> None:
    lower = [result(0.3, higher_is_better=False, threshold=0.3 - 1e-12)] * 2
    assert combine(lower).success
    assert not combine([result(0.2), result(0.4)]).success


def test_judge_failure_in_one_repeat_is_not_an_error() -> None:
    judge = ScriptedJudge().respond(JudgeAgreement, [CannotJudge("no"), YES])
    found = evaluate([CASE], Hallucination(), judge=judge, repeats=2).results[0][0]
    assert (found.score, found.error) == (0.0, None)


def test_an_exception_stops_the_other_repeats() -> None:
    stopped: list[int] = []

    async def measure(number: int) -> Result:
        if number == 0:
            raise KeyError("budget")
        try:
            await asyncio.sleep(60)
        finally:
            stopped.append(number)
        return result(1.0)

    with pytest.raises(KeyError):
        asyncio.run(measure_repeatedly(measure, 3))
    assert stopped == [1, 2]


@for_each("repeats", [0, -1, 1.5, True])
def test_repeats_that_measure_nothing_are_refused(repeats: Any) -> None:
    with pytest.raises(BadOption, match="repeats="):
        evaluate([CASE], Hallucination(), repeats=repeats)


def test_label_of_repeats_is_the_most_frequent_one_and_a_tie_is_undecided() -> None:
    def labelled(*labels: str | None) -> Result:
        repeats = [
            Result(metric="M", threshold=None, label=label, categories=("a", "b"), reason=label)
            for label in labels
        ]
        return combine(repeats)

    most = labelled("b", "a", "a", None)
    assert (most.label, most.status, most.reason) == ("a", None, "a")
    assert [item["label"] for item in most.metadata["repeats"]] == ["b", "a", "a", None]
    tie = labelled("a", "b")
    assert (tie.label, tie.status) == (None, "undecided")
