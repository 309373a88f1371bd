"""How far does an answer answer?"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Rating
from ragstone.prompts.base.prompt import Prompt, check_on_scale


@dataclass(frozen=True, kw_only=True)
class RateAnswer(Prompt[Rating]):
    """Ask for a rating from 0 to 3 of the actual output."""

    answer = Rating
    instruction = """\
Rate from 0 to 3 how far the actual output answers the input; whether it is true does not matter.
3: all that was asked, directly. 2: most of it. 1: a small part, or only things around it.
0: it is off the topic, evades, refuses, or says that it does not know."""

    actual_output: str
    input: str

    def check(self, answer: Rating) -> str | None:
        """Demand a score of the scale."""
        return check_on_scale(answer.score, range(4))
