"""Classify: which of your labels fits the test case?

    label = the one whose description fits best, or undecided where the texts do not show it
    score = 1 for a label in `passing`, 0 for any other; none without `passing`

One question with all labels: several questions of yes or no may all be answered with yes, and cost a call each. Where
the provider gives the probabilities of tokens, those of the labels are in the metadata. Source: the classification of
model-graded evals (OpenAI Evals), with counts and intervals in place of choices turned into numbers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field

from ragstone.errors import BadOption
from ragstone.metrics.base.metric import Metric, MetricContext, TestCase
from ragstone.metrics.shared.evaluation_fields import case_fields, check_fields
from ragstone.prompts import ChooseLabel
from ragstone.prompts.choose_answer import CANNOT_TELL, normalise_choice
from ragstone.score import Score, undecided_score

_LEAST = 2


class Classify(Metric):
    """Which of your labels fits the test case? One judge call.

    Attributes:
        labels: each label with its description: when it fits.
        name: name of the metric.
        question: what the labels are about.
        passing: the labels that pass, with a score of 1; the others miss, with a score of 0. None: no label passes or
            misses.
        evaluation_params: fields of the test case that the judge sees.
    """

    needs = ()
    prompts = (ChooseLabel,)

    labels: Mapping[str, str] = field(hash=False)
    name: str | None = None
    question: str = "Which label describes the actual output?"
    passing: Sequence[str] | None = None  # pyright: ignore[reportIncompatibleVariableOverride]  (an option here)
    evaluation_params: Sequence[str] = ("input", "actual_output")

    def __post_init__(self) -> None:
        """Reject invalid options."""
        object.__setattr__(self, "evaluation_params", check_fields(self.evaluation_params, self.title))
        super().__post_init__()
        plain = {normalise_choice(label) for label in self.categories}
        if len(plain) < len(self.categories) or CANNOT_TELL in plain or len(plain) < _LEAST:
            raise BadOption(
                f"{self.title}: labels={list(self.labels)!r}: write two or more that differ, none of them {CANNOT_TELL}"
            )
        for label, text in self.labels.items():
            if not isinstance(text, str) or not text.strip():  # pyright: ignore[reportUnnecessaryIsInstance]
                raise BadOption(f"{self.title}: the label {label!r} has no description: write when it fits")

    @property
    def title(self) -> str:
        """The name, with the method in brackets."""
        return f"{self.name} [Classify]" if self.name else "Classify"

    @property
    def categories(self) -> tuple[str, ...]:  # pyright: ignore[reportIncompatibleVariableOverride]  (an option)
        """The labels."""
        return tuple(self.labels)

    @property
    def target(self) -> float | None:
        """The score that passes; None where no label passes or misses."""
        return None if self.passing is None else super().target

    @property
    def fields_needed(self) -> tuple[str, ...]:
        """The fields that the judge is shown."""
        return tuple(self.evaluation_params)

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask for the label."""
        prompt = ChooseLabel(
            question=self.question,
            choices=self.categories,
            descriptions=tuple(self.labels.values()),
            case_fields=case_fields(case, self.evaluation_params),
        )
        answer = await ctx.ask(prompt)
        return self.score(prompt.label(answer), answer.reason, answer.probabilities)

    def score(
        self, label: str | None, reason: str, probabilities: Mapping[str, float] | None = None
    ) -> Score:
        """Score a label; None where the judge could not tell. Pure."""
        metadata = {} if probabilities is None else {"probabilities": dict(probabilities)}
        if label is None:
            return undecided_score(reason, metadata)
        return Score(None, reason, metadata, (reason,), label=label)
