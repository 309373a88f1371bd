"""Which of several answers to a question fits a test case? One branching of a decision tree."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from ragstone.prompts.base.answer import Answer, Text
from ragstone.prompts.base.fence import EvidenceText
from ragstone.prompts.base.prompt import UNRENDERED, Prompt, one_line
from ragstone.prompts.base.schema import AnswerBounds


class ChosenAnswer(Answer):
    """The answer that fits, and why.

    Attributes:
        reason: why.
        choice: the answer.
        probabilities: of each choice where the model's tokens give it, or the shares of a jury; None where unknown.
    """

    reason: str
    choice: Text
    probabilities: SkipJsonSchema[dict[str, float] | None] = Field(default=None, exclude=True)


@dataclass(frozen=True, kw_only=True)
class ChooseAnswer(Prompt[ChosenAnswer]):
    """Ask for one of the choices.

    Attributes:
        question: the question, the tree author's own.
        choices: its answers, in the author's order.
        shown: label and text of each field of the test case that is looked at.
    """

    answer = ChosenAnswer
    instruction = "Answer this question on the test case with one of the choices, and say why:"

    question: str = field(metadata=UNRENDERED)
    choices: tuple[str, ...] = field(metadata=UNRENDERED)
    case_fields: tuple[tuple[str, EvidenceText], ...] = field(metadata=UNRENDERED)

    def task(self) -> str:
        """Write out question and choices, each on one line of our own."""
        lines = [self.instruction, one_line(self.question), "Choices:"]
        return "\n".join([*lines, *(f"- {one_line(choice)}" for choice in self.choices)])

    def evidence(self) -> Iterator[tuple[str, EvidenceText]]:
        """Yield the fields that are looked at."""
        yield from self.case_fields

    @property
    def options(self) -> tuple[str, ...]:
        """What may be chosen."""
        return self.choices

    def bounds(self) -> AnswerBounds:
        """Allow the choices and nothing else."""
        return AnswerBounds(texts={"choice": [one_line(choice) for choice in self.options]})

    def chosen(self, answer: ChosenAnswer) -> str | None:
        """Return the choice that the answer names, whatever its case and spacing; None for any other."""
        return next(
            (item for item in self.options if normalise_choice(item) == normalise_choice(answer.choice)), None
        )

    def check(self, answer: ChosenAnswer) -> str | None:
        """Demand one of the choices."""
        if self.chosen(answer) is not None:
            return None
        return f"That is none of the choices: write one of {', '.join(map(repr, self.options))}."


def normalise_choice(text: str) -> str:
    """Return a choice without case, spacing, and the quotes, asterisks and full stops that models put around it."""
    return one_line(text).strip("\"'`*.").casefold()
