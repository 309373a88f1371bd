from typing import Any

import pytest
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.errors import BadOption, UnreadableAnswer
from ragstone.judges import Reply, ScriptedJudge
from ragstone.metrics import GEval, parse
from ragstone.prompts import DeriveSteps, FillForm, FormRating
from ragstone.result import Result

CASE = TestCase(
    input="How do I reset it?", actual_output="Hold the button.", retrieval_context=["Hold it for 5 s."]
)
STEPS = ("Compare the two.",)


def helpful(**options: Any) -> GEval:
    return GEval(**{"name": "Helpfulness", "criteria": "Is it helpful?", **options})


def rating(score: int, **options: Any) -> Result:
    judge = ScriptedJudge(attempts=1).respond(DeriveSteps, {"steps": ["Look.", "Rate."]})
    judge.respond(FillForm, {"reason": "Clear.", "score": score})
    return helpful(**options).measure(CASE, judge)


@for_each(
    "score, score_range, expected",
    [(8, (0, 10), 0.8), (3, (1, 5), 0.5), (1, (1, 5), 0.0), (10, (0, 10), 1.0)],
)
def test_a_rating_becomes_a_share_of_its_range(score: Any, score_range: Any, expected: Any) -> None:
    result = rating(score, score_range=score_range)
    assert result.score == pytest.approx(expected)
    assert result.metadata["raw_score"] == score
    assert result.metadata["mode"] == "single"
    assert result.metric == "Helpfulness [GEval]"
    assert result.reason == "Clear."


def test_steps_are_derived_once_or_given() -> None:
    assert rating(8).usage.calls == 2
    assert rating(8).metadata["steps"] == ["Look.", "Rate."]
    assert rating(8, evaluation_steps=STEPS).usage.calls == 1


@for_each("score", [15, -2, 11])
def test_a_rating_outside_the_range_is_unreadable_not_clamped(score: Any) -> None:
    with pytest.raises(UnreadableAnswer, match="outside the range"):
        rating(score)


def test_strict_mode_accepts_only_zero_or_one() -> None:
    assert rating(1, strict_mode=True).score == 1.0
    assert rating(0, strict_mode=True).score == 0.0
    with pytest.raises(UnreadableAnswer):
        rating(10, strict_mode=True)


def test_samples_take_the_mean_of_independent_asks() -> None:
    answers = [{"reason": "r", "score": score} for score in (6, 8, 10)]
    judge = ScriptedJudge().respond(FillForm, answers)
    result = helpful(evaluation_steps=STEPS, samples=3).measure(CASE, judge)
    assert result.score == pytest.approx(0.8)
    assert result.metadata["ratings"] == [6, 8, 10]
    assert result.usage.calls == 3
    assert result.metadata["mode"] == "samples"


class Weighing:
    name = "weighing"

    async def ask(self, prompt: FillForm) -> Reply[FormRating]:
        assert prompt.wants_log_probs
        return Reply(FormRating(reason="r", score=8, distribution={7: 0.25, 8: 0.5, 9: 0.25}))


def test_log_probabilities_weight_the_rating() -> None:
    result = helpful(evaluation_steps=STEPS).measure(CASE, Weighing())
    assert result.score == pytest.approx(0.8)
    assert result.metadata["mode"] == "logprobs"
    assert result.metadata["distribution"] == {"7": 0.25, "8": 0.5, "9": 0.25}


@for_each(
    "options",
    [
        {"score_range": (5, 5)},
        {"score_range": (10, 0)},
        {"criteria": None},
        {"samples": 0},
        {"evaluation_params": []},
        {"evaluation_params": ["answer"]},
        {"rubric": [(11, "too high")]},
        {"rubric": [((0, 5), "a"), ((5, 10), "b")]},
        {"rubric": ["good"]},
    ],
)
def test_g_eval_refuses_invalid_options(options: Any) -> None:
    with pytest.raises(BadOption):
        helpful(**options)


def test_evaluation_params_are_needed_and_fenced_in_the_prompt() -> None:
    metric = helpful(evaluation_params=["actual_output", "retrieval_context"], evaluation_steps=STEPS)
    assert metric.fields_needed == ("actual_output", "retrieval_context")
    judge = ScriptedJudge().respond(FillForm, {"reason": "r", "score": 5})
    metric.measure(CASE, judge)
    assert "1| Hold it for 5 s." in judge.prompts[0]
    assert "| Hold the button." in judge.prompts[0]
    assert CASE.input not in judge.prompts[0]


def test_g_eval_round_trips_through_its_spec() -> None:
    metric = helpful(rubric=[((0, 4), "bad"), (10, "good")], evaluation_params=["input", "actual_output"])
    assert parse(repr(metric)) == metric


def test_rubric_is_written_out() -> None:
    judge = ScriptedJudge().respond(FillForm, {"reason": "r", "score": 5})
    helpful(evaluation_steps=STEPS, rubric=[((0, 4), "bad"), (10, "good")]).measure(CASE, judge)
    assert "0 to 4: bad\n10: good" in judge.prompts[0]


@for_each(
    "mode, weighed_by, distribution, kept",
    [
        ("logprobs", "logprobs", {7: 0.25, 8: 0.75}, True),
        ("single", "logprobs", {7: 0.25, 8: 0.75}, False),  # in strict mode the distribution is not used
        ("logprobs", "logprobs", {}, False),
    ],
)
def test_metadata_keeps_the_distribution_behind_the_score(
    mode: str, weighed_by: Any, distribution: dict[int, float], *, kept: bool
) -> None:
    form = FormRating(reason="r", score=8, distribution=distribution, weighed_by=weighed_by)
    assert ("distribution" in helpful().score(8.0, form, mode, STEPS).metadata) is kept
