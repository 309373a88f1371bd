"""What does the user of a conversation want?"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Answer, Text
from ragstone.prompts.base.prompt import Prompt
from ragstone.prompts.base.schema import AnswerBounds, most_entries


class Intentions(Answer):
    """What the user wants, in the order in which it comes up; none where nothing is wanted."""

    intentions: tuple[Text, ...]


@dataclass(frozen=True, kw_only=True)
class ExtractIntentions(Prompt[Intentions]):
    """Ask for what the user wants."""

    answer = Intentions
    instruction = """\
List what the user wants from this conversation: each want once, self-contained, however often it is repeated. Leave \
out wants that the user drops again, greetings and thanks. Where nothing is wanted the list is empty."""

    turns: tuple[str, ...]

    def bounds(self) -> AnswerBounds:
        """Bound the number of entries by the length of the text."""
        return AnswerBounds(lists={"intentions": (0, most_entries(self.turns))})
