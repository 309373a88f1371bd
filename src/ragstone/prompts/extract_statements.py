"""Which statements does a text consist of?"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Answer, Text
from ragstone.prompts.base.prompt import Prompt


class Statements(Answer):
    """Statements in the order of the text."""

    statements: tuple[Text, ...]


@dataclass(frozen=True, kw_only=True)
class ExtractStatements(Prompt[Statements]):
    """Ask for a text's statements, whether or not they matter."""

    answer = Statements
    instruction = (
        "Split the text into its statements: self-contained (pronouns resolved), one assertion or piece of advice "
        "each, in the text's own language and order, on the topic or off it; add none, lose none. Bare greetings "
        "and closing phrases are no statements."
    )

    text: str
