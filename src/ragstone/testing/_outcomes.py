"""The outcome of an assertion: one or several measurements of a metric on a test case, and the message of a failure.

With repeats, the interval of the mean decides whether a test case passes. A message holds metric, score (also in
percent), threshold, status and reason.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.errors import RagstoneError
from ragstone.result import Result, Usage
from ragstone.stats.interval import Interval
from ragstone.stats.repeats import analyse_repeats
from ragstone.status import SUMMARY_WORDS, Status

_MISSING_FIELDS_HINT = "Ensure your TestCase includes all required fields for this metric."
_STATUS_BY_VERDICT: dict[str, Status] = {"pass": "passed", "fail": "missed", "undecided": "undecided"}


@dataclass(frozen=True, slots=True)
class RepeatedResult:
    """One metric on one test case, measured once or several times.

    Attributes:
        result: the result; with repeats its score is the mean, its reason that of the answer nearest the mean.
        status: passed or missed; undecided where the interval, or the range of the score, contains the threshold.
        interval: 95 % interval of the mean; None for a single measurement.
        scores: the score of every repeat.
    """

    result: Result
    status: Status | None
    interval: Interval | None = None
    scores: tuple[float, ...] = ()

    @property
    def spread(self) -> str:
        """The scores behind the mean, for messages; empty for a single measurement."""
        if self.interval is None:
            return ""
        low, high = max(0.0, self.interval.low), min(1.0, self.interval.high)
        answers = ", ".join(f"{score:.10g}" for score in self.scores)
        return f", mean of {len(self.scores)} answers ({answers}), 95 % interval {low:.2f} to {high:.2f}"


def combine_repeats(results: Sequence[Result]) -> RepeatedResult:
    """Combine one or several measurements of the same case.

    A case passes only if the whole interval of the mean lies on the passing side of the threshold, so repeating cannot
    turn a failing case into a passing one.
    """
    first = results[0]
    if len(results) == 1:
        return RepeatedResult(first, first.status)
    scores = tuple(result.score for result in results if result.score is not None)
    if len(scores) < len(results):
        return RepeatedResult(first, "undecided", scores=scores)
    case = analyse_repeats([scores], threshold=first.cutoff, higher_is_better=first.higher_is_better).cases[0]
    mean, costs = sum(scores) / len(scores), [result.evaluation_cost for result in results]
    nearest = min(results, key=lambda result: abs((result.score or 0.0) - mean))
    return RepeatedResult(
        result=nearest.model_copy(
            update={
                "score": mean,
                "success": case.verdict == "pass",
                "usage": sum((result.usage for result in results), Usage()),
                "evaluation_cost": None if None in costs else sum(filter(None, costs)),
                "latency_ms": max(result.latency_ms for result in results),
                "metadata": {**nearest.metadata, "repeats": list(scores), "verdict_on_repeats": case.verdict},
            }
        ),
        status=_STATUS_BY_VERDICT[case.verdict],
        interval=case.interval,
        scores=scores,
    )


class NotMeasured(RagstoneError):  # noqa: N818  (named after what happened)
    """A metric could not be measured: it neither passed nor failed."""


def not_measured(metric: str, error: str, *, missing: bool = False) -> NotMeasured:
    """Return the error for a metric without a score."""
    text = f"Metric evaluation failed with error.\n\nMetric: {metric}\nError:  {error}"
    return NotMeasured(f"{text}\n\n{_MISSING_FIELDS_HINT}" if missing else text)


def unexpected_status(outcome: RepeatedResult, *, expected: Status) -> str:
    """Return the message for a metric that passed or failed against the assertion."""
    happened = "passed" if expected == "missed" else "failed"
    happened = "is undecided" if outcome.status == "undecided" else happened
    return f"Metric evaluation {happened} unexpectedly.\n\n{_lines(outcome, SUMMARY_WORDS[expected])}"


def out_of_range(outcome: RepeatedResult, wanted: str) -> str:
    """Return the message for a score outside the asserted range."""
    return f"Metric score is not {wanted}.\n\n{_lines(outcome, wanted)}"


def several_failures(outcomes: Sequence[RepeatedResult]) -> str:
    """Return the message for two or more metrics that failed on one test case."""
    blocks = ["Multiple metric evaluations failed.\n\nFailures:"]
    blocks += [
        f"  {outcome.result.metric}:\n"
        f"    Score:     {_score(outcome)}\n"
        f"    Threshold: {_threshold(outcome.result)}\n"
        f"    Reason:    {outcome.result.reason or 'none given'}\n"
        for outcome in outcomes
    ]
    return "\n".join(blocks).rstrip("\n")


def _lines(outcome: RepeatedResult, expected: str) -> str:
    result = outcome.result
    return (
        f"Metric:    {result.metric}\n"
        f"Score:     {_score(outcome)}\n"
        f"Threshold: {_threshold(result)}\n"
        f"Status:    {SUMMARY_WORDS[outcome.status]} (expected {expected})\n"
        f"Reason:    {result.reason or 'none given'}"
    )


def score_text(value: float) -> str:
    """Return a score as a number and in percent: `0.4 (40.0%)`."""
    return f"{round(value, 4):.10g} ({value * 100:.1f}%)"


def _score(outcome: RepeatedResult) -> str:
    score = outcome.result.score
    return score_text(score) + outcome.spread if score is not None else "none"


def _threshold(result: Result) -> str:
    if result.threshold is None:
        return "none"
    return score_text(result.threshold) + ("" if result.higher_is_better else ", lower is better")
