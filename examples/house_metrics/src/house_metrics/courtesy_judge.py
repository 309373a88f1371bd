"""A judge of a house's own: rates politeness by counting courtesies, without a model or a network."""

import re

from house_metrics.politeness import RatePoliteness, Rating
from ragstone.errors import CannotJudge
from ragstone.judges import Reply
from ragstone.prompts import Prompt

_COURTESIES = re.compile(r"\b(dear|please|thank|welcome|glad|sorry|regards)", re.IGNORECASE)


class CourtesyJudge:
    """Answers the one prompt that it knows, and says so of any other."""

    name = "courtesy"

    async def ask(self, prompt: Prompt) -> Reply:
        """Return a rating: five, and two more for each courtesy.

        Raises:
            CannotJudge: it is asked something else.
        """
        if not isinstance(prompt, RatePoliteness):
            raise CannotJudge(
                f"The judge 'courtesy' rates politeness, it cannot answer {type(prompt).__name__}."
            )
        found = len(_COURTESIES.findall(prompt.text))
        return Reply(Rating(reason=f"Courtesies: {found}.", rating=min(10, 5 + 2 * found)))
