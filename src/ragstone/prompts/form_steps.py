"""By which steps are criteria evaluated, and which score does a test case deserve by them?

Source: arXiv:2303.16634, section 2, auto chain-of-thought and the form-filling paradigm.
"""

from dataclasses import dataclass, field

from ragstone.prompts.base.answer import Answer, Rating, Text
from ragstone.prompts.base.fence import EvidenceText
from ragstone.prompts.base.prompt import LABELLED, UNRENDERED, Prompt, one_line, with_values
from ragstone.prompts.base.schema import AnswerBounds


class Steps(Answer):
    """Evaluation steps, in order."""

    steps: tuple[Text, ...]


@dataclass(frozen=True, kw_only=True)
class DeriveSteps(Prompt[Steps]):
    """Ask for one to four evaluation steps that put criteria to work."""

    answer = Steps
    instruction = """\
Write 1 to 4 short evaluation steps by which a judge can rate a test case against the criteria above from 0 (worst) \
to 10 (best), looking at {parameters}. Each step says what to look at and what raises or lowers the score. Cover \
each criterion that is named and add none. Write no numbers before the steps. A step: "Read the first sentence of \
the actual output: a direct answer raises the score, a detour lowers it."
"""
    shared_by_run = True

    criteria: str
    parameters: tuple[str, ...] = field(metadata=UNRENDERED)

    def task(self) -> str:
        """Name the fields that will be shown."""
        return with_values(self.instruction.strip(), {"parameters": ", ".join(self.parameters)})

    def check(self, answer: Steps) -> str | None:
        """Demand a step, and steps that say something."""
        if not answer.steps:
            return "There is no step: write 1 to 4."
        empty = [
            str(number) for number, step in enumerate(answer.steps, 1) if not any(map(str.isalpha, step))
        ]
        return f"Step {', '.join(empty)} says nothing: write what to look at." if empty else None

    def bounds(self) -> AnswerBounds:
        """Allow one step to four."""
        return AnswerBounds(lists={"steps": (1, 4)})


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
    case_fields: tuple[tuple[str, EvidenceText], ...] = field(metadata=LABELLED)
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
        served = (
            f"They serve these criteria, which count where a step is unclear: {one_line(self.criteria)}\n"
        )
        values = {"low": self.low, "high": self.high, "criteria": served if self.criteria else ""}
        lines = [with_values(self.instruction, values), "Steps:"]
        lines += [f"{number}. {one_line(step)}" for number, step in enumerate(self.steps, 1)]
        if self.rubric:
            lines.append("Scores:")
            for low, high, text in self.rubric:
                lines.append(f"{low if low == high else f'{low} to {high}'}: {one_line(text)}")
        return "\n".join(lines)

    def bounds(self) -> AnswerBounds:
        """Allow the scores of the range."""
        return AnswerBounds(numbers={"score": range(self.low, self.high + 1)})

    def check(self, answer: FormRating) -> str | None:
        """Demand a score inside the range; one outside is never clamped."""
        if self.low <= answer.score <= self.high:
            return None
        return f"Score {answer.score} is outside the range {self.low} to {self.high}."
