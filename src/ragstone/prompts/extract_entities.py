"""Which entities do texts name?"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Answer, Texts
from ragstone.prompts.base.prompt import Prompt
from ragstone.prompts.base.schema import AnswerBounds, most_entries


class Entities(Answer):
    """Entities in the order of the texts."""

    entities: Texts


@dataclass(frozen=True, kw_only=True)
class ExtractEntities(Prompt[Entities]):
    """Ask for the people, places, organisations, works, dates, amounts … that texts name."""

    answer = Entities
    instruction = """\
List the entities the texts name: people, places, organisations and their named departments, products, works, \
events, dates, amounts. An amount is a number with its unit: money, size, percentage, length of time; give it alone \
("8 weeks", not "a further 8 weeks"). General terms are no entities. Each once, in its fullest form, as the texts \
spell it, without articles. "The Lyon office of Acme pays at least 5 % more after two years." -> "Lyon", "Acme", "5 \
%", "two years\""""

    texts: tuple[str, ...]

    def bounds(self) -> AnswerBounds:
        """Bound the number of entries by the length of the text."""
        return AnswerBounds(lists={"entities": (0, most_entries(self.texts))})
