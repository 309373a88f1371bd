"""How much of what the input asks for does a passage give?"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Rating
from ragstone.prompts.base.prompt import Prompt, check_on_scale


@dataclass(frozen=True, kw_only=True)
class RatePassage(Prompt[Rating]):
    """Ask for a rating from 0 to 3 of one passage."""

    answer = Rating
    instruction = """\
Rate from 0 to 3 how much of what the input asks for the passage gives.
3: all of it. 2: a good part. 1: little, or only by implication.
0: nothing, though it may share the topic or some words; an empty passage is 0."""

    passage: str
    input: str

    def check(self, answer: Rating) -> str | None:
        """Demand a score of the scale."""
        return check_on_scale(answer.score, range(4))
