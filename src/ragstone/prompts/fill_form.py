"""Which score does a test case deserve, by these steps?

Source: arXiv:2303.16634, section 2, the form-filling paradigm.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ragstone.prompts.base.answer import Rating
from ragstone.prompts.base.fence import EvidenceText
from ragstone.prompts.base.prompt import UNRENDERED, Prompt, one_line
from ragstone.prompts.base.schema import AnswerBounds


class FormRating(Rating):
    """A rating by steps and a rubric."""


@dataclass(frozen=True, kw_only=True)
class FillForm(Prompt[FormRating]):
    """Ask for a reason and a whole-numbered score.

    Attributes:
        steps: evaluation steps.
        criteria: what the steps serve; empty where they are all there is.
        case_fields: label and text of each field of the test case that is looked at.
        low: lowest score.
        high: highest score.
        rubric: what a score, or a range of scores, stands for.
        sample: number of this sample, where several are taken of the same form.
        sampled: whether the answer is to be sampled (temperature 1) rather than the likeliest one.
    """

    answer = FormRating
    instruction = """\
Rate the test case by the steps below with a whole number from {low} (worst) to {high} (best). {criteria}The reason, \
of at most 50 words, names what raised and what lowered the score."""

    reason_words = 50

    steps: tuple[str, ...] = field(metadata=UNRENDERED)
    case_fields: tuple[tuple[str, EvidenceText], ...] = field(metadata=UNRENDERED)
    criteria: str = field(default="", metadata=UNRENDERED)
    low: int = 0
    high: int = 10
    rubric: tuple[tuple[int, int, str], ...] = field(default=(), metadata=UNRENDERED)
    sample: int = 0
    sampled: bool = False

    @property
    def temperature(self) -> float | None:
        """1 for a sample, as in the paper; else the judge's own."""
        return 1.0 if self.sampled else None

    @property
    def wants_log_probs(self) -> bool:
        """The expected score over the token probabilities is better than the likeliest one."""
        return True

    def task(self) -> str:
        """Write out the steps and the rubric, which are the metric author's."""
        criteria = (
            f"They serve these criteria, which count where a step is unclear: {one_line(self.criteria)}\n"
        )
        values = {
            "{low}": str(self.low),
            "{high}": str(self.high),
            "{criteria}": criteria if self.criteria else "",
        }
        instruction = re.sub(r"\{(low|high|criteria)\}", lambda match: values[match[0]], self.instruction)
        lines = [instruction, "Steps:"]
        lines += [f"{number}. {one_line(step)}" for number, step in enumerate(self.steps, 1)]
        if self.rubric:
            lines.append("Scores:")
            lines += [f"{_score_range(low, high)}: {one_line(text)}" for low, high, text in self.rubric]
        return "\n".join(lines)

    def evidence(self) -> Iterator[tuple[str, EvidenceText]]:
        """Yield the fields that are looked at."""
        yield from self.case_fields

    def bounds(self) -> AnswerBounds:
        """Allow the scores of the range."""
        return AnswerBounds(numbers={"score": range(self.low, self.high + 1)})

    def check(self, answer: FormRating) -> str | None:
        """Demand a score inside the range; one outside is never clamped."""
        if self.low <= answer.score <= self.high:
            return None
        return f"Score {answer.score} is outside the range {self.low} to {self.high}."


def _score_range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"
