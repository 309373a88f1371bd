"""Which opinions does a text express as its own?"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Answer, Text
from ragstone.prompts.base.prompt import Prompt


class Opinions(Answer):
    """Opinions in the order of the text; none where it expresses none."""

    opinions: tuple[Text, ...]


@dataclass(frozen=True, kw_only=True)
class ExtractOpinions(Prompt[Opinions]):
    """Ask for the opinions of a text, without its facts."""

    answer = Opinions
    instruction = (
        "List every opinion the text expresses as its own: judgements, generalisations about people, insults, "
        "recommendations; each self-contained and in the text's own words and tone. Plain facts are no opinions, nor "
        "are opinions of others that the text only reports."
    )

    text: str
