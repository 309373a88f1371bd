"""The messages of failed assertions: metric, score (also in percent), threshold, status, reason."""

from collections.abc import Sequence

from ragstone.errors import RagstoneError
from ragstone.result import Result
from ragstone.status import SUMMARY_WORDS, Status
from ragstone.testing._repeats import RepeatedResult

_MISSING_FIELDS_HINT = "Ensure your TestCase includes all required fields for this metric."


class NotMeasured(RagstoneError):  # noqa: N818  (named after what happened)
    """A metric could not be measured: it neither passed nor failed."""


def not_measured(metric: str, error: str, *, missing: bool = False) -> NotMeasured:
    """Return the error for a metric without a score."""
    text = f"Metric evaluation failed with error.\n\nMetric: {metric}\nError:  {error}"
    return NotMeasured(f"{text}\n\n{_MISSING_FIELDS_HINT}" if missing else text)


def unexpected_status(outcome: RepeatedResult, *, expected: Status) -> str:
    """Return the message for a metric that passed or failed against the assertion."""
    happened = "passed" if expected == "missed" else "failed"
    if outcome.status == "undecided":
        happened = "is undecided"
    return "\n".join(
        (
            f"Metric evaluation {happened} unexpectedly.",
            "",
            *_lines(outcome, f"(expected {SUMMARY_WORDS[expected]})"),
        )
    )


def out_of_range(outcome: RepeatedResult, wanted: str) -> str:
    """Return the message for a score outside the asserted range."""
    return "\n".join((f"Metric score is not {wanted}.", "", *_lines(outcome, f"(expected {wanted})")))


def several_failures(outcomes: Sequence[RepeatedResult]) -> str:
    """Return the message for two or more metrics that failed on one test case."""
    blocks = ["Multiple metric evaluations failed.\n\nFailures:"]
    for number, outcome in enumerate(outcomes):
        result = outcome.result
        separator = "\n" if number else ""
        blocks.append(
            f"{separator}  {result.metric}:\n"
            f"    Score:     {_score(outcome)}\n"
            f"    Threshold: {_threshold(result)}\n"
            f"    Reason:    {_reason(result)}"
        )
    return "\n".join(blocks)


def _lines(outcome: RepeatedResult, expectation: str) -> tuple[str, ...]:
    result = outcome.result
    return (
        f"Metric:    {result.metric}",
        f"Score:     {_score(outcome)}",
        f"Threshold: {_threshold(result)}",
        f"Status:    {SUMMARY_WORDS[outcome.status]} {expectation}",
        f"Reason:    {_reason(result)}",
    )


def score_text(value: float) -> str:
    """Return a score as a number and in percent: `0.4 (40.0%)`."""
    return f"{round(value, 4):.10g} ({value * 100:.1f}%)"


def _score(outcome: RepeatedResult) -> str:
    score = outcome.result.score
    return score_text(score) + outcome.spread if score is not None else "none"


def _threshold(result: Result) -> str:
    return (
        "none"
        if result.threshold is None
        else score_text(result.threshold) + ("" if result.higher_is_better else ", lower is better")
    )


def _reason(result: Result) -> str:
    return result.reason or "none given"
