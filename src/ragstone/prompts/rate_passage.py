"""How much of what the input asks for does a passage give?"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Rating
from ragstone.prompts.base.prompt import Prompt


@dataclass(frozen=True, kw_only=True)
class RatePassage(Prompt[Rating]):
    """Ask for a rating from 0 to 3 of one passage."""

    answer = Rating
    instruction = """\
Rate from 0 to 3 how much of what the input asks for the passage gives. What follows directly counts as given. Judge \
by the question, not by what other sources might add.
3: all of it. 2: at least half of it. 1: less than half, or only a hint that needs guessing.
0: nothing, though it may share the topic or some words; an empty passage is 0."""
    scale = (0, 1, 2, 3)

    passage: str
    input: str
