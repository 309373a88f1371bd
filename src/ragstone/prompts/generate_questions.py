"""Which questions would this answer be the answer to?"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Answer, Text
from ragstone.prompts.base.prompt import Prompt


class Questions(Answer):
    """Questions that the text answers; `noncommittal` where it evades."""

    questions: tuple[Text, ...]
    noncommittal: bool


@dataclass(frozen=True, kw_only=True)
class GenerateQuestions(Prompt[Questions]):
    """Ask for `count` questions that a text answers."""

    answer = Questions
    instruction = (
        "Write {count} different questions, in the text's own language, to which the text would be a direct and "
        "complete answer. noncommittal: true where the text evades, refuses or says that it does not know."
    )

    text: str
    count: int = 3

    def task(self) -> str:
        """Say how many questions are wanted."""
        return self.instruction.format(count=self.count)

    def check(self, answer: Questions) -> str | None:
        """Demand as many questions as were asked for, unless the text evades."""
        if answer.noncommittal or len(answer.questions) == self.count:
            return None
        return f"{len(answer.questions)} questions; write exactly {self.count}."
