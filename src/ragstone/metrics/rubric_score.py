"""Rubric score: which line of a rubric fits the test case?

    score = (s - low) / (high - low), where s is the line's number, low and high the rubric's ends

The rubric is the metric's, or each test case's own in `metadata["rubric"]`. Source: Ragas, rubric scores; Prometheus,
arXiv:2310.08491.
"""

from collections.abc import Sequence
from typing import Any

from ragstone.errors import BadOption
from ragstone.metrics.base.metric import Metric, MetricContext, Score, TestCase
from ragstone.metrics.shared.evaluation_fields import case_fields, check_fields
from ragstone.metrics.shared.rubric import Bands, read_rubric
from ragstone.prompts import FillForm, FormRating

RUBRIC: Bands = (
    (1, 1, "Wrong, or not about the input."),
    (2, 2, "A little of it is right; the main point is wrong or missing."),
    (3, 3, "The main point is there, with gaps or errors that matter."),
    (4, 4, "Right and to the point, with a gap or a flaw that hardly matters."),
    (5, 5, "Right, complete and clear."),
)
"""The rubric where none is given."""

_MAX_SCORE = 1_000_000
_STEPS = ("Compare the test case with each line of the rubric.", "Choose the line that fits best.")


class RubricScore(Metric):
    """Which line of a rubric fits the test case? One judge call.

    Attributes:
        rubric: list of lines, each `(score, text)` or `((low, high), text)`; if None, a general rubric from 1
            to 5.
        evaluation_params: fields of the test case that the judge sees.
    """

    needs = ()
    prompts = (FillForm,)

    rubric: Sequence[Any] | None = None
    evaluation_params: Sequence[str] = ("input", "actual_output")

    def __post_init__(self) -> None:
        """Reject invalid options."""
        super().__post_init__()
        object.__setattr__(self, "evaluation_params", check_fields(self.evaluation_params, self.title))
        if self.rubric is not None:
            object.__setattr__(self, "rubric", self._read(self.rubric))

    @property
    def fields_needed(self) -> tuple[str, ...]:
        """The fields that the judge is shown."""
        return tuple(self.evaluation_params)

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask the judge to choose a line of the rubric."""
        given = case.metadata.get("rubric")
        bands = self._read(given) if given and self.rubric is None else tuple(self.rubric or RUBRIC)
        form = FillForm(
            steps=_STEPS,
            case_fields=case_fields(case, self.evaluation_params),
            low=bands[0][0],
            high=bands[-1][1],
            rubric=bands,
        )
        return self.score(await ctx.ask(form), bands)

    def score(self, form: FormRating, bands: Bands) -> Score:
        """Score a rating inside the rubric. Pure."""
        low, high = bands[0][0], bands[-1][1]
        line = next((text for first, last, text in bands if first <= form.score <= last), None)
        metadata = {"raw_score": form.score, "line": line, "score_range": [low, high]}
        return Score((form.score - low) / (high - low), form.reason or str(line), metadata, (form.reason,))

    def _read(self, rubric: Sequence[Any]) -> Bands:
        bands = read_rubric(rubric, 0, _MAX_SCORE, self.title)
        if not bands or bands[0][0] == bands[-1][1]:
            raise BadOption(f"{self.title}: a rubric needs at least two scores: write two lines or more")
        return bands
