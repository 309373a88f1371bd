"""Base class of metrics. A metric measures one aspect of one test case.

It is a frozen dataclass: its options are fields, and its repr is its spec. What a metric is written with is imported
from here: the base class, the test case, the context that asks, and the score.
"""

from collections.abc import Awaitable, Collection
from dataclasses import FrozenInstanceError, dataclass, field, replace
from functools import cached_property, partial, wraps
from inspect import isawaitable
from typing import Any, ClassVar, Literal, cast, dataclass_transform

from ragstone.blocking import run_blocking
from ragstone.case import TestCase
from ragstone.engine.context import MetricContext
from ragstone.engine.measurement import checked_score, measure
from ragstone.engine.scheduler import PromptScheduler
from ragstone.errors import BadOption, MissingField, NotApplicable
from ragstone.judges import JudgeLike, get_judge
from ragstone.metrics.base.cases import best_over_references, prepared_case
from ragstone.metrics.base.definition import (
    annotate_overrides,
    check_categories,
    check_definition,
    checked_options,
    spec,
)
from ragstone.metrics.base.score import as_score, nothing_retrieved
from ragstone.metrics.base.turns import TurnScore, assess_turns, missing_in_turns
from ragstone.prompts import Prompt
from ragstone.providers.http.transport import open_transport
from ragstone.result import Result, decide, passes
from ragstone.score import Score
from ragstone.text.preparation import OutputForm

__all__ = ["Metric", "MetricContext", "Score", "TestCase"]

ReasonStyle = Literal["composed", "judge"]


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
class FrozenOptions:
    """Makes every subclass a frozen dataclass with checked keyword options: no decorator is needed."""

    def __init_subclass__(cls, **kwargs: Any) -> None:  # noqa: ANN401  (class keyword arguments)
        """Turn the annotated fields into options, and reject an unusable class.

        Raises:
            BadOption: the class has no `needs`, needs a field that does not exist, or has an `assess` of another form.
        """
        super().__init_subclass__(**kwargs)
        annotate_overrides(cls)
        if FrozenOptions not in cls.__bases__:
            check_definition(cls)
        if "__repr__" not in vars(cls):
            cls.__repr__ = cls.__repr__  # set on the class itself, so that a second decorator keeps it
        has_own_init = "__init__" in vars(cls)
        dataclass(frozen=True, kw_only=True, repr=False)(cls)
        # Inherited below; on the class itself they would forbid a second decorator.
        for name in ("__setattr__", "__delattr__"):
            delattr(cls, name)
        if not has_own_init:
            _check_on_construction(cls)

    def __setattr__(self, name: str, value: object) -> None:
        """Raise FrozenInstanceError: a metric is immutable."""
        raise FrozenInstanceError(
            f"{type(self).__name__} is frozen: create another one with {name}={value!r}"
        )

    def __delattr__(self, name: str) -> None:
        """Raise FrozenInstanceError: a metric is immutable."""
        raise FrozenInstanceError(f"{type(self).__name__} is frozen: {name} cannot be deleted")


def _check_on_construction(cls: type[Any]) -> None:
    original_init = cls.__init__

    @wraps(original_init)
    def __init__(self: Any, *args: Any, **given: Any) -> None:  # noqa: ANN401, N807  (any options)
        kind = cast("type[Any]", type(self))
        if args:
            raise BadOption(
                f"{kind.__name__}({args[0]!r}): options must be named: write {kind.__name__}(threshold=0.8)"
            )
        original_init(self, **checked_options(kind, given))

    cls.__init__ = __init__


class Metric(FrozenOptions):
    """Base of every metric.

    A subclass has `needs`, options as annotated fields, and `assess`, sync or async, which returns a number from 0 to
    1, a label, or a `Score`, which may have both.

    Attributes:
        needs: fields that a test case must have.
        prompts: what is asked of the judge.
        output_form: how outputs are read: as `answer`, without the model's thoughts; as `prose`, also without citation
            markers and Markdown, where what an output claims is judged; or as `written`.
        higher_is_better: whether a score passes at or above the threshold, or at or below it.
        score_without_passages: the score of a test case whose `retrieval_context`, which the metric needs, is empty,
            since the retriever found nothing. None: `assess` is called, without passages.
        measures_application: whether it measures the call of the application, so that a test case whose application
            failed is measured too.
        categories: all labels that `assess` may give, in the order in which they are shown; empty for none.
        passing: the labels that pass, with a score of 1, where `assess` gives a label without a score; the others miss,
            with a score of 0. None where a label neither passes nor misses.
        any_reference: whether `assess` is called once for each accepted reference (`metadata["expected_outputs"]`), of
            which the best counts; else once, with the expected output.
        threshold: the score that passes, in [0, 1]; None where results neither pass nor miss.
        strict_mode: only a perfect score passes; any other becomes the worst one.
        include_reason: whether the result says why.
        reason_style: `composed` from the verdicts' own reasons without another call, or prose from the `judge`.
        per_turn: measure each of the assistant's turns of a conversation as a test case of its own, with the turns
            before it as its input; the score is their mean.
    """

    needs: ClassVar[tuple[str, ...]]
    prompts: ClassVar[tuple[type[Prompt[Any]], ...]] = ()
    output_form: ClassVar[OutputForm] = "answer"
    higher_is_better: ClassVar[bool] = True
    score_without_passages: ClassVar[float | None] = None
    measures_application: ClassVar[bool] = False
    any_reference: ClassVar[bool] = False
    categories: ClassVar[tuple[str, ...]] = ()
    passing: ClassVar[Collection[str] | None] = None

    threshold: float | None = 0.5
    strict_mode: bool = False
    include_reason: bool = True
    reason_style: ReasonStyle = "composed"
    per_turn: bool = False

    def __post_init__(self) -> None:
        """Reject invalid options. A subclass that checks its own options calls this method first."""
        if self.per_turn and "turns" in self.needs:
            raise BadOption(
                f"{self.title}: per_turn=True measures single turns, and this metric reads the whole conversation: "
                "leave it out"
            )
        if self.per_turn and self.categories:
            raise BadOption(
                f"{self.title}: per_turn=True gives the mean of scores, and this metric gives labels: leave it out"
            )
        if self.threshold is not None and not 0 <= self.threshold <= 1:
            raise BadOption(
                f"{self.title}: threshold={self.threshold!r} is not a score: write a number from 0 to 1"
            )
        check_categories(self.title, self.categories, self.passing)

    @property
    def title(self) -> str:
        """The display name of the metric."""
        return type(self).__name__

    @property
    def full_title(self) -> str:
        """The display name in results: with `per turn` where each turn is measured."""
        return f"{self.title} per turn" if self.per_turn else self.title

    @property
    def fields_needed(self) -> tuple[str, ...]:
        """The fields that a test case, or with `per_turn` a turn of one, must have for this instance."""
        return self.needs

    @property
    def target(self) -> float | None:
        """The score that passes: the threshold, or the best score in strict mode."""
        if not self.strict_mode:
            return self.threshold
        return 1.0 if self.higher_is_better else 0.0

    @property
    def cutoff(self) -> float:
        """The target, or 0.5 for a metric without a threshold: where a score is read as yes or no."""
        return 0.5 if self.target is None else self.target

    @cached_property
    def spec(self) -> str:
        """The spec of this metric, the same text in code, on the command line and in tables."""
        return spec(self)

    def __repr__(self) -> str:
        """Return the spec."""
        return self.spec

    def missing(self, case: TestCase) -> tuple[str, ...]:
        """Return the fields needed that a test case does not have; with `per_turn`, that none of its turns has."""
        return (
            missing_in_turns(case, self.fields_needed) if self.per_turn else case.missing(self.fields_needed)
        )

    def assess(
        self, case: TestCase, ctx: MetricContext
    ) -> Score | float | str | Awaitable[Score | float | str]:
        """Score a test case that has the fields needed; may be async.

        Raises:
            NotApplicable: the test case holds nothing that this metric could measure.
            JudgeError: the judge gave no verdict.
        """
        raise NotImplementedError

    async def run_assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Run `assess` on the prepared test case, await it if it is async, and return its result as a `Score`.

        Raises:
            MissingField: nothing is left of an output that the metric needs, such as one of thoughts alone.
        """
        if self.per_turn:
            measure_turn = partial(replace(self, per_turn=False)._measured_turn, ctx)  # noqa: SLF001  (of this class)
            return await assess_turns(
                case,
                measure_turn,
                higher_is_better=self.higher_is_better,
                has_threshold=self.target is not None,
            )
        assess = partial(self._assess_prepared, ctx=ctx)
        if self.any_reference and "expected_output" in self.fields_needed:
            return await best_over_references(assess, case, higher_is_better=self.higher_is_better)
        return await assess(case)

    async def _assess_prepared(self, case: TestCase, ctx: MetricContext) -> Score:
        case, changes = prepared_case(case, self.output_form, self.fields_needed)
        if changes and (missing := case.missing(self.fields_needed)):
            where = f"test case {case.name or case.id!r} ({', '.join(changes)})"
            raise MissingField(self.title, where, missing)
        fixed = self.score_without_passages
        if fixed is not None and "retrieval_context" in self.fields_needed and not case.passages():
            return nothing_retrieved(fixed)
        assessed = self.assess(case, ctx)
        score = as_score(await assessed if isawaitable(assessed) else assessed)
        return replace(score, metadata={**score.metadata, "prepared": list(changes)}) if changes else score

    async def _measured_turn(self, ctx: MetricContext, number: int, turn: TestCase) -> TurnScore:
        text = turn.actual_output or ""
        missing = turn.missing(self.fields_needed)
        if missing:
            return TurnScore(number, text, None, "skipped", f"It has no {' and no '.join(missing)}.")
        try:
            score = await self.run_assess(turn, ctx)
        except NotApplicable as problem:
            return TurnScore(number, text, None, "skipped", str(problem))
        low, high = (self.reported(checked_score(end, self.title)) for end in score.bounds)
        value = None if score.value is None else self.reported(checked_score(score.value, self.title))
        score = Score(value, score.reason, score.metadata, score.findings, low, high)
        status = None
        if self.target is not None:
            status = decide(value, low, high, threshold=self.target, higher_is_better=self.higher_is_better)
        return TurnScore(number, text, score, status, score.reason)

    def measure(self, case: TestCase, judge: str | JudgeLike | None = None) -> Result:
        """Measure one test case; works in a notebook too.

        Args:
            case: the test case.
            judge: a judge or its spec; None for the embedded judge.

        Raises:
            MissingField: the test case lacks a field that this metric needs.
            NotApplicable: it holds nothing that this metric could measure.
            JudgeError: the judge gave no verdict.
        """
        return run_blocking(self.ameasure, case, judge)

    async def ameasure(self, case: TestCase, judge: str | JudgeLike | None = None) -> Result:
        """Measure one test case; see `measure`."""
        scheduler = PromptScheduler(get_judge(judge))
        async with open_transport():
            try:
                return await measure(self, case, MetricContext(scheduler))
            finally:
                await scheduler.close()

    def result_fields(self) -> dict[str, Any]:
        """Return the fields that describe this metric in each of its results."""
        return {
            "metric": self.full_title,
            "spec": self.spec,
            "threshold": self.target,
            "higher_is_better": self.higher_is_better,
            "categories": tuple(self.categories),
        }

    def reported(self, value: float) -> float:
        """Return a score as it is reported: in strict mode, any but a perfect one is the worst one."""
        if not self.strict_mode or passes(value, self.target or 0.0, higher_is_better=self.higher_is_better):
            return value
        return 0.0 if self.higher_is_better else 1.0
