"""Which opinions does a text express as its own?"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Answer, Texts
from ragstone.prompts.base.prompt import Prompt
from ragstone.prompts.base.schema import AnswerBounds, most_entries


class Opinions(Answer):
    """Opinions in the order of the text; none where it expresses none."""

    opinions: Texts


@dataclass(frozen=True, kw_only=True)
class ExtractOpinions(Prompt[Opinions]):
    """Ask for the opinions of a text, without its facts."""

    answer = Opinions
    instruction = """\
List every opinion the text expresses as its own: judgements, generalisations about people, insults, \
recommendations. Split them at "and", quote the text's words, and change only a pronoun that would be unclear. No \
opinions: facts, rules, rights and procedures, even about groups or as "you must", and opinions of others that the \
text only reports. Without an opinion the list is empty.
"Sadly the office opens at 9, and the staff are lazy." -> "Sadly the office opens at 9.", "The staff are lazy.\""""

    text: str

    def bounds(self) -> AnswerBounds:
        """Bound the number of entries by the length of the text."""
        return AnswerBounds(lists={"opinions": (0, most_entries([self.text]))})
