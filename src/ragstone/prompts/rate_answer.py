"""How far does an answer answer?"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Rating
from ragstone.prompts.base.prompt import Prompt


@dataclass(frozen=True, kw_only=True)
class RateAnswer(Prompt[Rating]):
    """Ask for a rating from 0 to 3 of the actual output."""

    answer = Rating
    instruction = """\
Rate from 0 to 3 how much of what the input asks for the actual output answers; whether it is true does not matter. \
Where the input can be read in two ways, an answer to either counts; more than was asked is no fault if the answer \
is easy to find.
3: all that was asked. 2: at least half of it. 1: less than half, or only things around it.
0: it is off the topic, evades, refuses, or only says that it does not know; if it answers a part, rate the part."""
    scale = (0, 1, 2, 3)

    input: str
    actual_output: str
