"""Which factual claims does a text make?"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Answer, Text
from ragstone.prompts.base.prompt import Prompt


class Claims(Answer):
    """Claims in the order of the text; none where it makes none."""

    claims: tuple[Text, ...]


@dataclass(frozen=True, kw_only=True)
class ExtractClaims(Prompt[Claims]):
    """Ask for every factual claim of a text."""

    answer = Claims
    instruction = (
        "List every factual claim the text makes: self-contained (pronouns resolved), one fact each, in the text's own "
        "language, as stated even if false; add none, lose none. Greetings, questions, offers of help and refusals "
        "are no claims."
    )

    text: str
