"""Which yes-or-no questions does a text answer with yes?"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Answer, Text
from ragstone.prompts.base.prompt import Prompt


class ClosedQuestions(Answer):
    """Questions that can be answered with yes or no."""

    questions: tuple[Text, ...]


@dataclass(frozen=True, kw_only=True)
class WriteQuestions(Prompt[ClosedQuestions]):
    """Ask for `count` closed questions about what matters most in a text."""

    answer = ClosedQuestions
    instruction = (
        "Write {count} questions about the most important facts of the source (who, what, where, when, how much), in "
        "its own language, each of which the source answers with yes, each about another fact. Each must be "
        "understood without the source."
    )

    source: tuple[str, ...]
    count: int = 5

    def task(self) -> str:
        """Say how many questions are wanted."""
        return self.instruction.format(count=self.count)

    def check(self, answer: ClosedQuestions) -> str | None:
        """Demand at least one question, and no more than were asked for."""
        if 1 <= len(answer.questions) <= self.count:
            return None
        return f"{len(answer.questions)} questions; write {self.count}."
