"""The reference's suite of assertions, ported: what passes passes, what fails says so in the documented words."""

import unittest
from typing import Any

import pytest
from tests.testing.for_each import for_each

from ragstone import Result, TestCase
from ragstone.errors import BadOption, UnknownName
from ragstone.judges import ScriptedJudge
from ragstone.metrics import AnswerRelevancy, ExactMatch, Faithfulness, Hallucination
from ragstone.prompts import (
    AttributeStatements,
    ExtractClaims,
    ExtractStatements,
    ExtractTruths,
    JudgeAgreement,
    JudgeClaims,
    JudgeStatements,
)
from ragstone.testing import NotMeasured, assert_evaluation, assert_fails, assert_passes, assert_score

CASE = TestCase(
    input="What is the capital of France?",
    actual_output="Paris is the capital of France.",
    expected_output="Paris",
    retrieval_context=["Paris is the capital city of France."],
)


def words(*verdicts: str) -> dict[str, list[dict[str, str | None]]]:
    return {
        "verdicts": [{"reason": None if word == "yes" else "Not so", "verdict": word} for word in verdicts]
    }


def judge_saying(*verdicts: str) -> ScriptedJudge:
    return (
        ScriptedJudge()
        .respond(ExtractTruths, {"truths": ["Truth 1"]})
        .respond(ExtractClaims, {"claims": [f"Claim {number + 1}" for number in range(len(verdicts))]})
        .respond(
            ExtractStatements, {"statements": [f"Statement {number}" for number in range(len(verdicts))]}
        )
        .respond(JudgeClaims, words(*verdicts))
        .respond(JudgeStatements, words(*verdicts))
        .respond(AttributeStatements, words(*verdicts))
        .respond(JudgeAgreement, words(*verdicts[:1]))
    )


def test_assert_passes_with_default_and_given_threshold() -> None:
    judge = judge_saying("yes", "yes", "yes", "no")
    assert assert_passes(CASE, Faithfulness, judge=judge).score == 0.75
    assert assert_passes(CASE, "faithfulness", judge=judge, threshold=0.7).threshold == 0.7
    result = assert_passes(CASE, Faithfulness(threshold=0.1), judge=judge, threshold=0.75)
    assert isinstance(result, Result)
    assert result.threshold == 0.75


def test_failure_message_of_assert_passes() -> None:
    with pytest.raises(AssertionError) as caught:
        assert_passes(CASE, Faithfulness, judge=judge_saying("yes", "yes", "no", "no", "no"))
    assert str(caught.value) == (
        "Metric evaluation failed unexpectedly.\n"
        "\n"
        "Metric:    Faithfulness\n"
        "Score:     0.4 (40.0%)\n"
        "Threshold: 0.5 (50.0%)\n"
        "Status:    FAIL (expected PASS)\n"
        "Reason:    2 of 5 claims are supported. Contradicted: “Claim 3” (Not so); “Claim 4” (Not so); "
        "“Claim 5” (Not so)."
    )


def test_assert_fails_for_hallucination_above_threshold() -> None:
    lies = TestCase(
        input="What color is the sky?",
        actual_output="The sky is green with purple polka dots.",
        context=["The sky appears blue during the day due to light scattering."],
    )
    result = assert_fails(lies, Hallucination, judge=judge_saying("no"), threshold=0.3)
    assert result.score == 1.0
    with pytest.raises(AssertionError, match="expected FAIL") as caught:
        assert_fails(lies, Hallucination, judge=judge_saying("yes"), threshold=0.3)
    assert "Metric evaluation passed unexpectedly." in str(caught.value)
    assert "Threshold: 0.3 (30.0%), lower is better" in str(caught.value)


@for_each(
    "bounds",
    [
        {"min": 0.7},
        {"min": 0.75, "max": 0.75},
        {"max": 0.8},
        {"exact": 0.75},
        {"exact": 0.7, "delta": 0.05},
        {"exact": 0.8, "delta": 0.05},
    ],
)
def test_assert_score_accepts_score_within_bounds(bounds: dict[str, Any]) -> None:
    judge = judge_saying("yes", "yes", "yes", "no")
    assert assert_score(CASE, Faithfulness, judge=judge, threshold=1.0, **bounds).score == 0.75


@for_each(
    "bounds, said",
    [
        ({"min": 0.8}, "at least 0.8 (80.0%)"),
        ({"max": 0.2}, "at most 0.2 (20.0%)"),
        ({"min": 0.8, "max": 0.9}, "at least 0.8 (80.0%) and at most 0.9 (90.0%)"),
        ({"exact": 0.7}, "exactly 0.7 (70.0%)"),
        ({"exact": 0.7, "delta": 0.04}, "exactly 0.7 (70.0%), give or take 0.04"),
    ],
)
def test_assert_score_message_for_score_out_of_bounds(bounds: dict[str, Any], said: str) -> None:
    with pytest.raises(AssertionError) as caught:
        assert_score(CASE, Faithfulness, judge=judge_saying("yes", "yes", "yes", "no"), **bounds)
    text = str(caught.value)
    assert text.startswith(
        f"Metric score is not {said}.\n\nMetric:    Faithfulness\nScore:     0.75 (75.0%)\n"
    )
    assert f"Status:    PASS (expected {said})" in text


def test_assert_evaluation_shares_judge_calls_between_metrics() -> None:
    judge = judge_saying("yes")
    results = assert_evaluation(
        CASE,
        [Faithfulness, "faithfulness(penalize_ambiguous_claims=False)", AnswerRelevancy()],
        judge=judge,
        threshold=0.7,
    )
    assert [result.metric for result in results] == ["Faithfulness", "Faithfulness", "AnswerRelevancy"]
    assert {result.threshold for result in results} == {0.7}
    assert len(judge.prompts) == 4  # claims and verdicts once for both, statements, their verdicts


def test_assert_evaluation_message_lists_all_failures() -> None:
    with pytest.raises(AssertionError) as caught:
        assert_evaluation(
            CASE,
            [Faithfulness, ExactMatch, AnswerRelevancy],
            judge=judge_saying("yes", "yes", "no", "no", "no"),
        )
    assert str(caught.value).startswith(
        "Multiple metric evaluations failed.\n"
        "\n"
        "Failures:\n"
        "  Faithfulness:\n"
        "    Score:     0.4 (40.0%)\n"
        "    Threshold: 0.5 (50.0%)\n"
        "    Reason:    2 of 5 claims are supported."
    )
    assert "\n\n  AnswerRelevancy:\n    Score:     0.4 (40.0%)\n" in str(caught.value)


def test_assert_evaluation_message_for_one_failure() -> None:
    with pytest.raises(AssertionError, match="Metric evaluation failed unexpectedly"):
        assert_evaluation(CASE, [Faithfulness, ExactMatch], judge=judge_saying("yes"))


@for_each("assertion", [assert_passes, assert_fails])
def test_measurement_error_raises_not_measured(assertion: type) -> None:
    bare = TestCase(input="Q", actual_output="A")
    with pytest.raises(NotMeasured) as caught:
        assertion(bare, Faithfulness, judge=judge_saying("yes"))
    assert not isinstance(caught.value, AssertionError)
    assert str(caught.value) == (
        "Metric evaluation failed with error.\n"
        "\n"
        "Metric: Faithfulness\n"
        "Error:  Missing required parameters: retrieval_context\n"
        "\n"
        "Ensure your TestCase includes all required fields for this metric."
    )
    broken = ScriptedJudge().respond(".", RuntimeError("429 Rate limit exceeded"))
    with pytest.raises(NotMeasured, match="Error:  RuntimeError: 429 Rate limit exceeded"):
        assertion(CASE, Faithfulness, judge=broken)


def test_on_missing_skip_skips_the_test() -> None:
    with pytest.raises(unittest.SkipTest, match="retrieval_context"):
        assert_passes(TestCase(input="Q", actual_output="A"), Faithfulness, on_missing="skip")


def test_invalid_arguments_are_rejected_before_the_judge_is_asked() -> None:
    judge = judge_saying("yes")
    with pytest.raises(BadOption, match=r"threshold.*Did you mean|option of Faithfulness named 'treshold'"):
        assert_passes(CASE, Faithfulness, judge=judge, treshold=0.8)
    with pytest.raises(UnknownName, match="faithfulness"):
        assert_passes(CASE, "faithfullness", judge=judge)
    with pytest.raises(BadOption, match="min=, max= or exact="):
        assert_score(CASE, Faithfulness, judge=judge)
    with pytest.raises(BadOption, match="repeats=0"):
        assert_passes(CASE, Faithfulness, judge=judge, repeats=0)
    with pytest.raises(BadOption, match="no metric"):
        assert_evaluation(CASE, [], judge=judge)
    assert not judge.prompts


class TestInUnittest(unittest.TestCase):
    """The assertions need no pytest."""

    def test_assert_passes_with_the_local_judge_in_unittest(self) -> None:
        assert_passes(CASE, Faithfulness)
        with self.assertRaises(AssertionError):  # noqa: PT027  (this is how unittest does it)
            assert_passes(CASE, ExactMatch)
