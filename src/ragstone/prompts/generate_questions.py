"""Which questions would this answer be the answer to?"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Answer, Text
from ragstone.prompts.base.prompt import Prompt
from ragstone.prompts.base.schema import AnswerBounds


class Questions(Answer):
    """Questions that the text answers; `noncommittal` where it evades."""

    noncommittal: bool
    questions: tuple[Text, ...]


@dataclass(frozen=True, kw_only=True)
class GenerateQuestions(Prompt[Questions]):
    """Ask for `count` wordings of the question that a text answers."""

    answer = Questions
    instruction = """\
noncommittal: true only where the text gives no part of an answer: it evades, refuses, or does not know.
Then write {count} wordings of the question that a user most likely asked to get this text as the answer, in the \
text's own language; each covers all that the text answers (or, where it is noncommittal, leaves open), and they \
differ in words only. "The shop is in Bern; it opens at 9." -> "Where is the shop and when does it open?", "What are \
the shop's place and opening time?\""""

    text: str
    count: int = 3

    def task(self) -> str:
        """Say how many questions are wanted."""
        return self.instruction.replace("{count}", str(self.count))

    def bounds(self) -> AnswerBounds:
        """Demand the number of questions."""
        return AnswerBounds(lists={"questions": (self.count, self.count)})

    def check(self, answer: Questions) -> str | None:
        """Demand as many questions as were asked for, unless the text evades."""
        if answer.noncommittal or len(answer.questions) == self.count:
            return None
        return f"{len(answer.questions)} questions; write exactly {self.count}."
