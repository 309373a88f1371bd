"""Which factual claims does a text make?"""

from dataclasses import dataclass, field

from ragstone.prompts.base.answer import Answer, Texts
from ragstone.prompts.base.prompt import OPTIONAL, SPLIT, Prompt
from ragstone.prompts.base.schema import AnswerBounds, most_entries


class Claims(Answer):
    """Claims in the order of the text; none where it makes none."""

    claims: Texts


@dataclass(frozen=True, kw_only=True)
class ExtractClaims(Prompt[Claims]):
    """Ask for every factual claim of a text.

    Attributes:
        input: the question that the text answers, where it helps to make the claims self-contained.
        text: what makes the claims.
    """

    answer = Claims
    instruction = f"""\
List every factual claim the text makes, even if false, in its language. {SPLIT}\
From an input, take only what completes the text: "Yes." claims what was asked. A reported claim keeps source and \
hedge. Rules, instructions, "it is not stated" are claims; courtesies, headings, framing, questions, offers, \
referrals, taste, "I found nothing" not."""

    input: str = field(default="", metadata=OPTIONAL)
    text: str

    def bounds(self) -> AnswerBounds:
        """Bound the number of entries by the length of the text."""
        return AnswerBounds(lists={"claims": (0, most_entries([self.text]))})
