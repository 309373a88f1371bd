"""G-Eval: rate a test case by criteria of your own, with a language model that thinks in steps.

    score = (s - low) / (high - low), where s is the expected rating over the model's token probabilities,
            or the mean of several sampled ratings, or a single rating

Source: G-Eval, arXiv:2303.16634, section 2: auto chain-of-thought, form filling, probability-weighted scoring.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ragstone.errors import BadOption
from ragstone.judges.asking.score_distribution import expectation
from ragstone.metrics.base.metric import Metric, MetricContext, Score, TestCase
from ragstone.metrics.shared.evaluation_fields import case_fields, check_fields
from ragstone.metrics.shared.rubric import Bands, read_rubric
from ragstone.prompts import DeriveSteps, FillForm, FormRating


class GEval(Metric):
    """Rate a test case by criteria of your own. One judge call, and one for the steps in each run.

    Attributes:
        name: name of the metric.
        criteria: the criteria to judge by, in a sentence or two.
        evaluation_steps: steps of the evaluation; if not given, they are derived from the criteria, once in a
            run.
        evaluation_params: fields of the test case that the judge sees.
        rubric: descriptions of scores, each `(score, text)` or `((low, high), text)`.
        score_range: lowest and highest rating.
        samples: number of ratings if the model returns no probabilities; if there are several, they are
            sampled at temperature 1, and the mean is used.
    """

    needs = ()
    prompts = (DeriveSteps, FillForm)

    name: str
    criteria: str | None = None
    evaluation_steps: Sequence[str] | None = None
    evaluation_params: Sequence[str] = ("input", "actual_output")
    rubric: Sequence[Any] | None = None
    score_range: tuple[int, int] = (0, 10)
    samples: int = 1

    def __post_init__(self) -> None:
        """Reject invalid options."""
        super().__post_init__()
        low, high = self.score_range
        if low >= high:
            raise BadOption(
                f"{self.title}: score_range={self.score_range!r} is empty: write (low, high) with low < high"
            )
        if not self.criteria and not self.evaluation_steps:
            raise BadOption(f"{self.title} has neither criteria nor evaluation_steps: give one of them")
        if self.samples < 1:
            raise BadOption(f"{self.title}: samples={self.samples!r}: write 1 or more")
        object.__setattr__(self, "evaluation_params", check_fields(self.evaluation_params, self.title))
        if self.rubric is not None:
            object.__setattr__(self, "rubric", read_rubric(self.rubric, low, high, self.title))

    @property
    def title(self) -> str:
        """The name, with the method in brackets."""
        return f"{self.name} [GEval]"

    @property
    def fields_needed(self) -> tuple[str, ...]:
        """The fields that the form shows."""
        return tuple(self.evaluation_params)

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Get the steps, then have the form filled in, as often as `samples` says."""
        steps = await self._steps(ctx)
        form = self._form(case, steps)
        first = await ctx.ask(form)
        if first.distribution and not self.strict_mode:
            return self.score(expectation(first.distribution), first, first.weighed_by, steps)
        if self.samples == 1:
            return self.score(first.score, first, "single", steps)
        further_forms = [replace(form, sample=number) for number in range(1, self.samples)]
        ratings = [first.score, *(answer.score for answer in await ctx.ask_all(further_forms))]
        return self.score(sum(ratings) / len(ratings), first, "samples", steps, ratings)

    def score(
        self,
        raw: float,
        form: FormRating,
        mode: str,
        steps: Sequence[str],
        ratings: Sequence[int] | None = None,
    ) -> Score:
        """Score a rating inside the range. Pure."""
        low, high = self._range
        metadata: dict[str, Any] = {"raw_score": raw, "mode": mode, "steps": list(steps)}
        if mode == form.weighed_by and form.distribution:
            metadata["distribution"] = {str(rating): mass for rating, mass in form.distribution.items()}
        if ratings is not None:
            metadata["ratings"] = list(ratings)
        return Score((raw - low) / (high - low), form.reason, metadata, (form.reason,))

    @property
    def _range(self) -> tuple[int, int]:
        return (0, 1) if self.strict_mode else self.score_range

    async def _steps(self, ctx: MetricContext) -> tuple[str, ...]:
        if self.evaluation_steps:
            return tuple(self.evaluation_steps)
        prompt = DeriveSteps(criteria=self.criteria or "", parameters=tuple(self.evaluation_params))
        return (await ctx.ask(prompt)).steps

    def _form(self, case: TestCase, steps: tuple[str, ...]) -> FillForm:
        low, high = self._range
        bands: Bands = tuple(self.rubric or ()) if not self.strict_mode else ()
        return FillForm(
            steps=steps,
            criteria=self.criteria or "",
            case_fields=case_fields(case, self.evaluation_params),
            low=low,
            high=high,
            rubric=bands,
            sampled=self.samples > 1,
        )
