"""How much of what the input asks for do the passages contain, one by one (`RatePassage`) or together (`RateContexts`)?

Source of the two wordings of `RateContexts`: NVIDIA's context relevance, in Ragas; the wordings are ours.
"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Rating
from ragstone.prompts.base.prompt import Prompt, TwoWordings


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


@dataclass(frozen=True, kw_only=True)
class RateContexts(TwoWordings):
    """Ask for a rating of 0, 1 or 2.

    Attributes:
        passages: all that was retrieved.
        input: the question, or a task.
    """

    wordings = (
        """\
Rate whether the input can be answered from the passages alone. What follows directly counts; a point on which \
passages contradict each other is not answered; if the input asks for no information, rate what its task needs.
2: all of it. 1: a part of it. 0: nothing of it, though the passages may share its topic.""",
        """\
Suppose a reader has only these passages. How much of the input could the reader answer? What follows directly \
counts; a point on which passages contradict each other is not answered; if the input asks for no information, rate \
what its task needs.
2: all of it. 1: a part of it. 0: nothing of it, though the passages may share its topic.""",
    )
    scale = (0, 1, 2)

    passages: tuple[str, ...]
    input: str
