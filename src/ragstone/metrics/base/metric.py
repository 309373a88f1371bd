"""A metric: measures one aspect of one test case. A frozen value; its options are fields, its repr is its spec."""

from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import Any, ClassVar, Literal

from ragstone.blocking import run_blocking
from ragstone.case import TestCase
from ragstone.engine.context import MetricContext
from ragstone.engine.scheduler import PromptScheduler
from ragstone.errors import BadOption, MissingField, describe
from ragstone.judges import Judge, get_judge
from ragstone.metrics.base.score import Score
from ragstone.metrics.base.spec import spec
from ragstone.prompts import Prompt, SummariseReasons
from ragstone.providers.http.transport import open_transport
from ragstone.result import Result

TOLERANCE = 1e-9
"""0.7 computed as 0.7 - 1e-17 passes 0.7."""

ReasonStyle = Literal["composed", "judge"]


@dataclass(frozen=True, kw_only=True, repr=False)
class Metric:
    """Base of every metric.

    Attributes:
        needs: fields that a test case must have.
        prompts: what is asked of the judge.
        higher_is_better: whether a score passes at or above the threshold, or at or below it.
        threshold: the score that passes, in [0, 1].
        strict_mode: only a perfect score passes; any other becomes the worst one.
        include_reason: whether the result says why.
        reason_style: `composed` from the verdicts' own reasons without another call, or prose from the `judge`.
    """

    needs: ClassVar[tuple[str, ...]]
    prompts: ClassVar[tuple[type[Prompt[Any]], ...]] = ()
    higher_is_better: ClassVar[bool] = True

    threshold: float = 0.5
    strict_mode: bool = False
    include_reason: bool = True
    reason_style: ReasonStyle = "composed"

    def __post_init__(self) -> None:
        """Refuse options that make no sense."""
        if isinstance(self.threshold, bool) or not 0 <= self.threshold <= 1:
            raise BadOption(
                f"{self.title}: threshold={self.threshold!r} is no score: write a number from 0 to 1"
            )
        if self.reason_style not in ("composed", "judge"):
            raise BadOption(f"{self.title}: reason_style={self.reason_style!r}: write 'composed' or 'judge'")

    @property
    def title(self) -> str:
        """The metric's name for people."""
        return type(self).__name__

    @property
    def fields_needed(self) -> tuple[str, ...]:
        """The fields that a test case must have for this very instance."""
        return self.needs

    @property
    def target(self) -> float:
        """The score that passes: the threshold, or the best score in strict mode."""
        if not self.strict_mode:
            return self.threshold
        return 1.0 if self.higher_is_better else 0.0

    @cached_property
    def spec(self) -> str:
        """The one spelling of this metric in code, on the command line and in tables."""
        return spec(self)

    def __repr__(self) -> str:
        """Return the spec."""
        return self.spec

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Score a test case that has the fields needed.

        Raises:
            NotApplicable: the test case holds nothing that this metric could measure.
            JudgeError: the judge gave no verdict.
        """
        raise NotImplementedError

    def measure(self, case: TestCase, judge: str | Judge | None = None) -> Result:
        """Measure one test case; works in a notebook too.

        Args:
            case: the test case.
            judge: a judge or its spec; the embedded judge where None.

        Raises:
            MissingField: the test case lacks a field that this metric needs.
            NotApplicable: it holds nothing that this metric could measure.
            JudgeError: the judge gave no verdict.
        """
        return run_blocking(self.ameasure, case, judge)

    async def ameasure(self, case: TestCase, judge: str | Judge | None = None) -> Result:
        """Measure one test case; see `measure`."""
        scheduler = PromptScheduler(get_judge(judge))
        async with open_transport():
            try:
                return await self.measure_by(MetricContext(scheduler), case)
            finally:
                await scheduler.close()

    async def measure_by(self, ctx: MetricContext, case: TestCase) -> Result:
        """Measure one test case with the judge of a run; see `measure`."""
        start = perf_counter()
        missing = case.missing(self.fields_needed)
        if missing:
            raise MissingField(self.title, _called(case), missing)
        score = await self.assess(case, ctx)
        value, success = self.apply_threshold(score.value)
        reason = await self._explain(score, value, ctx)
        return self._result(
            case,
            ctx,
            start,
            score=value,
            success=success,
            reason=reason,
            metadata=_with_jury(score, ctx),
        )

    def no_result(
        self, case: TestCase, ctx: MetricContext, start: float, error: Exception, *, skip: bool
    ) -> Result:
        """Return what stands in place of a score where `error` prevented it."""
        if skip:
            return self._result(case, ctx, start, skipped=True, reason=str(error))
        return self._result(case, ctx, start, error=describe(error))

    def _result(self, case: TestCase, ctx: MetricContext, start: float, **outcome: Any) -> Result:  # noqa: ANN401
        return Result(
            metric=self.title,
            spec=self.spec,
            threshold=self.target,
            higher_is_better=self.higher_is_better,
            usage=ctx.usage,
            evaluation_cost=ctx.cost,
            latency_ms=(perf_counter() - start) * 1000,
            case_id=case.id,
            judge=ctx.judge,
            **outcome,
        )

    def apply_threshold(self, value: float) -> tuple[float, bool]:
        """Return the score as it is reported, and whether it passes."""
        distance = value - self.target if self.higher_is_better else self.target - value
        success = distance >= -TOLERANCE
        if self.strict_mode and not success:
            return (0.0 if self.higher_is_better else 1.0), False
        return value, success

    async def _explain(self, score: Score, value: float, ctx: MetricContext) -> str | None:
        if not self.include_reason:
            return None
        if self.reason_style == "composed" or not score.findings:
            return score.reason
        answer = await ctx.ask(SummariseReasons(findings=score.findings, metric=self.title, score=value))
        return answer.reason


def _with_jury(score: Score, ctx: MetricContext) -> dict[str, Any]:
    """Return the score's metadata, with how its verdicts came about where several judges had a say."""
    return {**score.metadata, "jury": [dict(told) for told in ctx.about]} if ctx.about else score.metadata


def _called(case: TestCase) -> str:
    return f"test case {case.name or case.id!r}"
