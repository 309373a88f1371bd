"""Which entities do texts name?"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Answer, Text
from ragstone.prompts.base.prompt import Prompt


class Entities(Answer):
    """Entities in the order of the texts."""

    entities: tuple[Text, ...]


@dataclass(frozen=True, kw_only=True)
class ExtractEntities(Prompt[Entities]):
    """Ask for the people, places, organisations, works, dates, amounts … that texts name."""

    answer = Entities
    instruction = (
        "List the entities the texts name: people, places, organisations, products, works, events, dates, amounts. "
        "Each once, in its fullest form, as the texts spell it, without articles; add none, lose none."
    )

    texts: tuple[str, ...]
