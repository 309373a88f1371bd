"""Which statements does a text consist of?"""

from dataclasses import dataclass, field

from ragstone.prompts.base.answer import Answer, Texts
from ragstone.prompts.base.prompt import OPTIONAL, SPLIT, Prompt
from ragstone.prompts.base.schema import AnswerBounds, most_entries


class Statements(Answer):
    """Statements in the order of the text."""

    statements: Texts


@dataclass(frozen=True, kw_only=True)
class ExtractStatements(Prompt[Statements]):
    """Ask for a text's statements, whether or not they matter.

    Attributes:
        input: the question that the text answers, where it helps to make the statements self-contained.
        text: what consists of them.
    """

    answer = Statements
    instruction = f"""\
List the statements of the text, on the topic or off it, in its own language and order. {SPLIT}\
From an input, take only what completes the text. Advice, opinions and refusals are statements; headings, greetings, \
questions and offers of help are none."""

    input: str = field(default="", metadata=OPTIONAL)
    text: str

    def bounds(self) -> AnswerBounds:
        """Bound the number of entries by the length of the text."""
        return AnswerBounds(lists={"statements": (0, most_entries([self.text]))})
