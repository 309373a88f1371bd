"""The law of scores: a number that is not a score becomes a failed measurement, whoever wrote the metric."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.testing.for_each import for_each
from tests.testing.outcome import JudgedOutcome, Outcome

from ragstone import TestCase, evaluate
from ragstone.engine.measurement import checked_score
from ragstone.errors import InvalidScore
from ragstone.judges import ScriptedJudge
from ragstone.metrics import ExactMatch, Metric, Score
from ragstone.result import Result

NO_SCORES: tuple[Any, ...] = (2.5, float("nan"), float("inf"), True, -0.1)
CASE = TestCase(input="q", actual_output="a", expected_output="a")


@dataclass(frozen=True, kw_only=True, repr=False)
class Returns(Metric):
    """Returns one of the numbers that are not scores."""

    needs = ("input",)
    which: int = 0

    async def assess(self, case: TestCase, ctx: object) -> Score:
        del case, ctx
        return Score(NO_SCORES[self.which], "because")


@pytest.mark.parametrize("stored", [False, True], ids=["no store", "store"])
def test_invalid_score_becomes_a_failed_measurement(tmp_path: Path, *, stored: bool) -> None:
    metrics = [*(Returns(which=number) for number in range(len(NO_SCORES))), ExactMatch()]
    report = evaluate(
        [CASE, CASE],
        metrics,
        judge=ScriptedJudge(),
        store=tmp_path / "runs.sqlite3" if stored else False,
    )
    for results in report.results:
        *wrong, right = results
        assert right.score == 1.0
        for result, value in zip(wrong, NO_SCORES, strict=True):
            assert (result.score, result.success, result.error_type) == (None, False, "InvalidScore")
            assert result.error == (
                f"InvalidScore: Returns returned {value!r} as a score. Its assess() must return a number from 0 to 1."
            )
    assert report.exit_code == 3
    assert report.to_markdown()


@for_each("value", [*NO_SCORES, None, "0.5", 1.000001])
def test_checked_score_refuses_invalid_values(value: object) -> None:
    with pytest.raises(InvalidScore, match="Mine returned"):
        checked_score(value, "Mine")


@for_each("value, score", [(0, 0.0), (1, 1.0), (0.5, 0.5), (1 + 1e-12, 1.0), (-1e-12, 0.0)])
def test_rounding_errors_are_cut_off(value: float, score: float) -> None:
    assert checked_score(value, "Mine") == score


def test_label_without_passing_labels_neither_passes_nor_misses() -> None:
    result = Outcome().measure(TestCase(input="q", actual_output="refused"))
    assert (result.label, result.score, result.low, result.status) == ("refused", None, None, None)
    assert result.categories == ("answered", "partly", "refused")
    assert result.summary() == "Outcome: refused - The label is refused."
    assert Result.model_validate_json(result.model_dump_json()) == result


def test_passing_labels_score_one_and_the_others_zero() -> None:
    passed, missed = (
        JudgedOutcome().measure(TestCase(input="q", actual_output=text)) for text in ("answered", "partly")
    )
    assert (passed.score, passed.status, missed.score, missed.status) == (1.0, "passed", 0.0, "missed")


@for_each("metric, bounds", [(Outcome(), (None, None)), (JudgedOutcome(), (0.0, 1.0))])
def test_undecided_label_is_undecided_with_and_without_passing_labels(
    metric: Metric, bounds: tuple[float | None, float | None]
) -> None:
    result = metric.measure(TestCase(input="q", actual_output="?"))
    assert (result.label, result.status, (result.low, result.high)) == (None, "undecided", bounds)


def test_label_outside_the_categories_is_refused() -> None:
    with pytest.raises(
        InvalidScore, match="'maybe', which is none of its categories, answered, partly, refused"
    ):
        Outcome().measure(TestCase(input="q", actual_output="maybe"))
    with pytest.raises(InvalidScore, match="has a threshold: write passing"):
        Outcome(threshold=0.5).measure(TestCase(input="q", actual_output="refused"))
