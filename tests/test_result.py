import pytest
from pydantic import ValidationError

from ragstone import Result
from ragstone.result import Usage
from ragstone.verdict import Verdict
from tests.testing.for_each import for_each


def test_summary_of_a_score() -> None:
    result = Result(metric="Faithfulness", score=0.85, success=True, reason="4 of 5 claims are supported.")
    assert str(result) == "Faithfulness: PASS (85.0%) - 4 of 5 claims are supported."
    assert result.summary() == str(result)


def test_summary_of_a_failure_names_the_error_and_no_number() -> None:
    result = Result(metric="Faithfulness", error="TimedOut: no answer within 60 s")
    assert str(result) == "Faithfulness: NOT MEASURED - TimedOut: no answer within 60 s"
    assert result.score is None
    assert not result.success


@for_each(
    "result, status",
    [
        (Result(metric="m", score=0.0, success=True), "passed"),
        (Result(metric="m", score=0.4), "missed"),
        (Result(metric="m", skipped=True), "skipped"),
        (Result(metric="m", error="x"), "not_measured"),
    ],
)
def test_status_of_a_result(result: Result, status: str) -> None:
    assert result.status == status


def test_json_round_trip() -> None:
    result = Result(metric="m", score=0.5, metadata={"verdicts": [{"statement": "s"}]}, usage=Usage(calls=2))
    assert Result.model_validate_json(result.model_dump_json()) == result


def test_result_is_frozen_and_rejects_unknown_fields() -> None:
    with pytest.raises(ValidationError):
        Result(metric="m", scores=1)  # type: ignore[call-arg]
    with pytest.raises(ValidationError):
        Result(metric="m").score = 1.0  # type: ignore[misc]


def test_usage_adds_up() -> None:
    left, right = (
        Usage(calls=1, input_tokens=10, output_tokens=2, cached_tokens=3),
        Usage(calls=2, input_tokens=5),
    )
    assert left + right == Usage(calls=3, input_tokens=15, output_tokens=2, cached_tokens=3)
    assert sum([left, right], Usage()) == left + right


def test_verdicts_are_read_from_the_metadata() -> None:
    verdict = Verdict("The tower is in Paris.", "no", "Berlin", passage=2, span=(3, 9), probability=0.1)
    result = Result(
        metric="m", score=0.5, metadata={"verdicts": [verdict.as_dict(), {"verdict": "maybe"}, 7]}
    )
    assert result.verdicts == (verdict,)
    assert Result.model_validate_json(result.model_dump_json()).verdicts == (verdict,)
    assert Result(metric="m", score=0.5).verdicts == ()
    assert Result(metric="m", score=0.5, metadata={"verdicts": "yes"}).verdicts == ()
