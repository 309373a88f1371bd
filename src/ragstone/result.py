"""The result of one metric on one test case, and its usage of the judge. A failure never has a score."""

from typing import Any, NamedTuple, Self, cast

from pydantic import BaseModel, ConfigDict, Field

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
    """The result of one metric on one test case: scored, skipped or failed.

    Attributes:
        metric: readable name of the metric.
        spec: the metric with its options, as text that `parse` accepts.
        score: in [0, 1]; None if the metric was skipped or could not be measured.
        success: whether the score passes the threshold; False without a score.
        reason: the explanation of the score.
        threshold: the score that passes.
        higher_is_better: whether scores of at least the threshold pass, instead of those of at most the threshold.
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
    success: bool = False
    reason: str | None = None
    threshold: float = 0.5
    higher_is_better: bool = True
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

    @property
    def status(self) -> str:
        """PASS, FAIL, SKIPPED or ERROR."""
        if self.skipped:
            return "SKIPPED"
        if self.score is None:
            return "ERROR"
        return "PASS" if self.success else "FAIL"

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
        return f"{self.metric}: {self.status}{figure}" + (f" - {because}" if because else "")

    def __str__(self) -> str:
        """Return the one-line summary."""
        return self.summary()


def passes(score: float, threshold: float, *, higher_is_better: bool) -> bool:
    """Return whether a score is on the right side of its threshold, rounding errors aside."""
    return (score - threshold if higher_is_better else threshold - score) >= -TOLERANCE


class SlimResult(NamedTuple):
    """The fields of a result from which sums and shares are computed.

    Attributes:
        metric: readable name of the metric.
        spec: the metric with its options.
        score: in [0, 1]; None if there is none.
        success: whether the score passes the threshold.
        status: PASS, FAIL, SKIPPED or ERROR.
        cost: US dollars; None if unknown.
        calls: answers requested from the judge.
        input_tokens: tokens sent.
        output_tokens: tokens received.
        cached_tokens: those sent that the provider had in its prefix cache.
    """

    metric: str
    spec: str
    score: float | None
    success: bool
    status: str
    cost: float | None
    calls: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int

    @classmethod
    def of(cls, result: Result) -> "SlimResult":
        """Return the slim form of a result."""
        usage = result.usage
        return cls(
            result.metric,
            result.spec or result.metric,
            result.score,
            result.success,
            result.status,
            result.evaluation_cost,
            usage.calls,
            usage.input_tokens,
            usage.output_tokens,
            usage.cached_tokens,
        )
