"""One measurement: a metric assesses a test case, and its score becomes a `Result`.

A metric only scores. Field check, score check, threshold, reason, usage, cost and latency are added here, in one place,
so that no metric, including a user's own, can put a number that is not a score into a result.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from math import isfinite
from numbers import Real
from time import perf_counter
from typing import Any, ClassVar, Protocol

from ragstone.case import APPLICATION_ERROR, TestCase
from ragstone.engine.context import MetricContext
from ragstone.errors import ApplicationError, InvalidScore, MissingField, describe
from ragstone.prompts import SummariseReasons
from ragstone.result import TOLERANCE, Result, decide
from ragstone.score import Score


class Measurable(Protocol):
    """The interface of a metric that a measurement uses; see `ragstone.metrics.Metric`."""

    higher_is_better: ClassVar[bool]
    measures_application: ClassVar[bool]
    categories: ClassVar[tuple[str, ...]]
    passing: ClassVar[Collection[str] | None]

    @property
    def title(self) -> str:
        """The metric's name in reports."""
        ...

    @property
    def include_reason(self) -> bool:
        """Whether the result has a reason."""
        ...

    @property
    def reason_style(self) -> str:
        """`composed`, or prose from the `judge`."""
        ...

    def missing(self, case: TestCase) -> tuple[str, ...]:
        """Return the fields needed that a test case does not have."""
        ...

    async def run_assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Score a test case."""
        ...

    def reported(self, value: float) -> float:
        """Return a score as it is reported."""
        ...

    def result_fields(self) -> dict[str, Any]:
        """Return the fields about the metric that each of its results has."""
        ...


async def measure(metric: Measurable, case: TestCase, ctx: MetricContext) -> Result:
    """Return the result of `metric` on `case`.

    Raises:
        MissingField: the test case lacks a field that the metric needs.
        ApplicationError: there is no answer, because the application failed.
        NotApplicable: the test case has nothing for the metric to measure.
        InvalidScore: the metric returned a number that is not a score.
        JudgeError: the judge gave no usable answer.
    """
    failure = case.metadata.get(APPLICATION_ERROR)
    if failure is not None and not metric.measures_application:
        raise ApplicationError(str(failure))
    missing = metric.missing(case)
    if missing:
        raise MissingField(metric.title, f"test case {case.name or case.id!r}", missing)
    score = _judged_label(await metric.run_assess(case, ctx), metric)
    value = None if score.value is None else metric.reported(checked_score(score.value, metric.title))
    low = high = None
    if not _is_label_alone(score, metric):
        low, high = (metric.reported(checked_score(end, metric.title)) for end in score.bounds)
    reason: str | None = None
    if metric.include_reason:
        reason = score.reason
        if metric.reason_style == "judge" and score.findings and value is not None:
            prompt = SummariseReasons(
                findings=tuple(score.findings),
                metric=metric.title,
                score=value,
                higher_is_better=metric.higher_is_better,
            )
            reason = (await ctx.ask(prompt)).reason
    metadata = {**score.metadata, **_several_judges(ctx.about)}
    outcome = {"score": value, "low": low, "high": high, "label": score.label}
    return _result(metric, case, ctx, {**outcome, "reason": reason, "metadata": metadata})


def _judged_label(score: Score, metric: Measurable) -> Score:
    """Return a score whose label is one of the metric's; a label that passes or misses gives a score of 1 or 0.

    Raises:
        InvalidScore: the metric has no such label, or gave one without a score although it has a threshold.
    """
    label = score.label
    if label is None:
        return score
    if label not in metric.categories:
        known = f"which is none of its categories, {', '.join(metric.categories)}"
        none = f"but it has no categories: write categories = ({label!r}, …) in its class"
        why = known if metric.categories else none
        raise InvalidScore(f"{metric.title} returned the label {label!r}, {why}.")
    if score.value is not None or metric.passing is None:
        return score
    return replace(score, value=float(label in metric.passing), low=None, high=None)


def _is_label_alone(score: Score, metric: Measurable) -> bool:
    """Return whether a metric gives labels without scores, as it does on this test case.

    Raises:
        InvalidScore: it has a threshold, which a label without a score cannot pass or miss.
    """
    scored = score.value is not None or score.low is not None or score.high is not None
    if scored or not metric.categories:
        return False
    if metric.result_fields()["threshold"] is None:
        return True
    if score.label is None:
        return False
    raise InvalidScore(
        f"{metric.title} returned the label {score.label!r} without a score, but has a threshold: write passing = "
        f"({score.label!r},) for the labels that pass, or threshold = None where none passes or misses."
    )


def _several_judges(about: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    votes = [dict(vote) for vote in about if "jurors" in vote]
    decided = sum(
        (Counter[str](details["judges"]) for details in about if "judges" in details), Counter[str]()
    )
    return ({"jury": votes} if votes else {}) | ({"judges": dict(decided)} if decided else {})


def failed_result(metric: Measurable, case: TestCase, ctx: MetricContext, error: Exception) -> Result:
    """Return the result of a measurement that `error` prevented: without a score, with the error's type and text."""
    status: object = getattr(error, "status", None)
    known_status = status if isinstance(status, int) else None
    outcome = {"error": describe(error), "error_type": type(error).__name__, "error_status": known_status}
    return _result(metric, case, ctx, outcome)


def skipped_result(metric: Measurable, case: TestCase, ctx: MetricContext, error: Exception) -> Result:
    """Return the result of a measurement that was skipped because of `error`."""
    return _result(metric, case, ctx, {"skipped": True, "reason": str(error)})


def checked_score(value: object, title: str) -> float:
    """Return `value` as a score in [0, 1]; rounding errors at either end are cut off.

    Raises:
        InvalidScore: it is a bool, NaN, infinite, outside of [0, 1], or no number at all.
    """
    if not isinstance(value, bool) and isinstance(value, Real):
        number = float(value)
        if isfinite(number) and -TOLERANCE <= number <= 1 + TOLERANCE:
            return min(1.0, max(0.0, number))
    raise InvalidScore(
        f"{title} returned {value!r} as a score. Its assess() must return a number from 0 to 1."
    )


def _result(metric: Measurable, case: TestCase, ctx: MetricContext, outcome: Mapping[str, Any]) -> Result:
    fields = metric.result_fields()
    return Result(
        **fields,
        success=_passed(fields, outcome),
        usage=ctx.usage,
        evaluation_cost=ctx.cost,
        latency_ms=(perf_counter() - ctx.started) * 1000,
        case_id=case.id,
        judge=ctx.judge,
        **outcome,
    )


def _passed(fields: Mapping[str, Any], outcome: Mapping[str, Any]) -> bool:
    threshold = fields["threshold"]
    if threshold is None or outcome.get("low") is None:
        return False
    ends = (outcome["score"], outcome["low"], outcome["high"])
    return decide(*ends, threshold=threshold, higher_is_better=fields["higher_is_better"]) == "passed"
