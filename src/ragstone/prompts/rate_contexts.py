"""Do the passages, taken together, hold what the input asks for? Two wordings.

Source: NVIDIA's context relevance, in Ragas; the wordings are ours.
"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Rating
from ragstone.prompts.base.prompt import Prompt, check_on_scale

SCALE = (0, 1, 2)


@dataclass(frozen=True, kw_only=True)
class RateContexts(Prompt[Rating]):
    """Ask for a rating of 0, 1 or 2.

    Attributes:
        passages: all that was retrieved.
        input: the question.
        alternate_wording: ask in the other wording.
    """

    answer = Rating
    instruction = """\
Rate whether the input can be answered from the passages alone.
2: fully. 1: in part. 0: not at all.
---
Someone may read nothing but these passages. How much of the input could they answer?
2: all of it. 1: some of it. 0: nothing of it, though the passages may share its topic."""

    passages: tuple[str, ...]
    input: str
    alternate_wording: bool = False

    def task(self) -> str:
        """Return one of the two wordings."""
        return self.instruction.split("\n---\n")[self.alternate_wording]

    def check(self, answer: Rating) -> str | None:
        """Demand a score of the scale."""
        return check_on_scale(answer.score, SCALE)
