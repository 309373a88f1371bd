"""The result of one metric on one test case, and its usage of the judge. A failure never has a score."""

from typing import Any, Literal, NamedTuple, Self, cast

from pydantic import BaseModel, ConfigDict, Field, computed_field, model_validator

from ragstone.status import SUMMARY_WORDS, Status
from ragstone.verdict import Verdict


class Usage(BaseModel):
    """Judge calls and tokens. Usages can be added.

    Attributes:
        calls: answers requested from the judge, including re-asks, without answers shared with another metric.
        input_tokens: tokens sent.
        output_tokens: tokens received.
        cached_tokens: those of `input_tokens` that the provider had in its prefix cache.
        cache_write_tokens: those of `input_tokens` that it wrote to that cache, at a separate price. They count towards
            the cost of a call and are neither written nor stored.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cache_write_tokens: int = Field(default=0, exclude=True)

    def __add__(self, other: Self) -> Self:
        """Return the sum of both."""
        if self is NO_USAGE:
            return other
        if other is NO_USAGE:
            return self
        return type(self)(  # not model_copy, which takes three times as long: this is done for every call
            calls=self.calls + other.calls,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            cache_write_tokens=self.cache_write_tokens + other.cache_write_tokens,
        )


NO_USAGE = Usage()
"""Usage without any call."""

TOLERANCE = 1e-9
"""A score computed as 0.7 - 1e-17 passes a threshold of 0.7."""


class Result(BaseModel):
    """The result of one metric on one test case.

    Attributes:
        metric: readable name of the metric.
        spec: the metric with its options, as text that `parse` accepts; `metric` where none is given.
        score: in [0, 1], over the decided verdicts; None if nothing was decided or measured, or if it was skipped.
        low: the least score that the undecided verdicts allow; `score` where everything was decided.
        high: the greatest score that they allow.
        success: whether the result passed.
        reason: the explanation of the score.
        threshold: the score that passes; None for a metric that only measures, whose results neither pass nor miss.
        higher_is_better: whether scores of at least the threshold pass, instead of those of at most the threshold.
        label: the category that the metric gave the test case, beside a score or instead of one; None without one.
        categories: all labels that the metric may give, in its order; empty for a metric without labels.
        error: type and message of the exception that prevented a measurement; None if there is a score.
        error_type: the exception's class, such as `ProviderError`; None if there is a score.
        error_status: the HTTP status of a server that refused or failed; None if there was none.
        skipped: the metric had nothing to work on, and was asked to skip rather than fail.
        metadata: all intermediate results: claims, statements, verdicts with the passages they rest on …
        usage: calls of the judge and their tokens.
        evaluation_cost: US dollars; None if the price of the model is not known.
        latency_ms: wall time of the measurement.
        case_id: the test case's `id`.
        judge: the judge's name.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    metric: str
    spec: str = ""
    score: float | None = None
    low: float | None = None
    high: float | None = None
    success: bool = False
    reason: str | None = None
    threshold: float | None = 0.5
    higher_is_better: bool = True
    label: str | None = None
    categories: tuple[str, ...] = ()
    error: str | None = None
    error_type: str | None = None
    error_status: int | None = None
    skipped: bool = False
    metadata: dict[str, Any] = Field(default_factory=dict[str, Any])
    usage: Usage = NO_USAGE
    evaluation_cost: float | None = None
    latency_ms: float = 0.0
    case_id: str = ""
    judge: str = ""

    @model_validator(mode="before")
    @classmethod
    def complete(cls, data: object) -> object:
        """Drop a written status, which is computed; fill in spec and bounds where they are left out."""
        if not isinstance(data, dict):
            return data
        fields = cast("dict[str, Any]", data)
        implied = {"spec": fields.get("metric"), "low": fields.get("score"), "high": fields.get("score")}
        implied = {
            name: value
            for name, value in implied.items()
            if value is not None and fields.get(name) in (None, "")
        }
        if implied or "status" in fields:
            return {name: value for name, value in {**fields, **implied}.items() if name != "status"}
        return fields

    @computed_field
    @property
    def status(self) -> Status | None:
        """What became of the measurement; None for a score without a threshold, and for a label without a score."""
        if self.skipped:
            return "skipped"
        if self.low is None or self.high is None:
            return self._status_of_label
        if self.threshold is None:
            return None
        if self.score is not None and self.low == self.high:
            return "passed" if self.success else "missed"
        return decide(
            self.score, self.low, self.high, threshold=self.threshold, higher_is_better=self.higher_is_better
        )

    @property
    def _status_of_label(self) -> Status | None:
        """The status of a result without a score or a range for one."""
        if self.label is not None:
            return None
        return "undecided" if self.categories and self.error is None else "not_measured"

    @property
    def cutoff(self) -> float:
        """The threshold, or 0.5 for a metric without one: where a score is read as yes or no beside people's labels."""
        return 0.5 if self.threshold is None else self.threshold

    @property
    def is_measured(self) -> bool:
        """Whether there is a score, at least a range for it, or a label."""
        return self.low is not None or self.label is not None

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The verdicts in the metadata; empty for a metric without verdicts. Other values are left out."""
        stored: object = self.metadata.get("verdicts")
        items = cast("list[object]", stored) if isinstance(stored, list | tuple) else []
        return tuple(verdict for verdict in map(Verdict.from_dict, items) if verdict is not None)

    @property
    def error_kind(self) -> str:
        """The class of the error; taken from `error` in results written before there was `error_type`."""
        return self.error_type or (self.error or "").partition(": ")[0]

    @property
    def error_message(self) -> str:
        """The text of the error without its class."""
        return (self.error or "").removeprefix(self.error_kind).removeprefix(": ")

    def summary(self) -> str:
        """Return one line, such as `Faithfulness: PASS (85.0%) - 4 of 5 claims are supported.`."""
        figure = "" if self.score is None else f" ({self.score * 100:.1f}%)"
        because = self.error or self.reason
        label_alone = self.label is not None and self.score is None
        word = self.label if label_alone else SUMMARY_WORDS[self.status]
        return f"{self.metric}: {word}{figure}" + (f" - {because}" if because else "")

    def __str__(self) -> str:
        """Return the one-line summary."""
        return self.summary()


def passes(score: float, threshold: float, *, higher_is_better: bool) -> bool:
    """Return whether a score is on the right side of its threshold, rounding errors aside."""
    return (score - threshold if higher_is_better else threshold - score) >= -TOLERANCE


def decide(
    score: float | None, low: float, high: float, *, threshold: float, higher_is_better: bool
) -> Literal["passed", "missed", "undecided"]:
    """Return the status of a measurement: undecided if its bounds lie on both sides of the threshold, or have no score.

    Args:
        score: the score over the decided verdicts; None where nothing was decided.
        low: the least possible score.
        high: the greatest possible score.
        threshold: the score that passes.
        higher_is_better: whether scores of at least the threshold pass.
    """
    by_low, by_high = (passes(end, threshold, higher_is_better=higher_is_better) for end in (low, high))
    if score is None or by_low != by_high:
        return "undecided"
    return "passed" if by_low else "missed"


class SlimResult(NamedTuple):
    """The fields of a result from which sums and shares are computed.

    Attributes:
        metric: readable name of the metric.
        spec: the metric with its options.
        score: in [0, 1]; None if there is none.
        low: the least possible score; None where nothing was measured.
        high: the greatest possible score.
        status: see `Status`; None for a score without a threshold.
        cost: US dollars; None if unknown.
        calls: answers requested from the judge.
        input_tokens: tokens sent.
        output_tokens: tokens received.
        cached_tokens: those sent that the provider had in its prefix cache.
        label: the category of the test case; None without one.
        categories: all labels that the metric may give.
    """

    metric: str
    spec: str
    score: float | None
    low: float | None
    high: float | None
    status: Status | None
    cost: float | None
    calls: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    label: str | None = None
    categories: tuple[str, ...] = ()

    @classmethod
    def of(cls, result: Result) -> "SlimResult":
        """Return the slim form of a result."""
        usage = result.usage
        return cls(
            result.metric,
            result.spec,
            result.score,
            result.low,
            result.high,
            result.status,
            result.evaluation_cost,
            usage.calls,
            usage.input_tokens,
            usage.output_tokens,
            usage.cached_tokens,
            result.label,
            result.categories,
        )
