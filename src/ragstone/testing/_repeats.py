"""Repeated measurements of one metric on one test case: the interval of the mean decides whether it passes."""

from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.result import Result, Usage
from ragstone.stats.interval import Interval
from ragstone.stats.repeats import analyse_repeats
from ragstone.status import Status

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

    Args:
        results: at least one; all scored.
    """
    first = results[0]
    if len(results) == 1:
        return RepeatedResult(first, first.status)
    scores = tuple(result.score for result in results if result.score is not None)
    if len(scores) < len(results):
        return RepeatedResult(first, "undecided", scores=scores)
    case = analyse_repeats([scores], threshold=first.cutoff, higher_is_better=first.higher_is_better).cases[0]
    mean = sum(scores) / len(scores)
    nearest = min(results, key=lambda result: abs((result.score or 0.0) - mean))
    return RepeatedResult(
        result=nearest.model_copy(
            update={
                "score": mean,
                "success": case.verdict == "pass",
                "usage": sum((result.usage for result in results), Usage()),
                "evaluation_cost": _total_cost(results),
                "latency_ms": max(result.latency_ms for result in results),
                "metadata": {**nearest.metadata, "repeats": list(scores), "verdict_on_repeats": case.verdict},
            }
        ),
        status=_STATUS_BY_VERDICT[case.verdict],
        interval=case.interval,
        scores=scores,
    )


def _total_cost(results: Sequence[Result]) -> float | None:
    costs = [result.evaluation_cost for result in results]
    priced = [cost for cost in costs if cost is not None]
    return sum(priced) if len(priced) == len(costs) else None
