"""Do the passages bear out the actual output as a whole? Two wordings.

Source: NVIDIA's response groundedness, in Ragas; the wordings are ours.
"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Rating
from ragstone.prompts.base.prompt import Prompt, check_on_scale

SCALE = (0, 1, 2)


@dataclass(frozen=True, kw_only=True)
class RateGrounding(Prompt[Rating]):
    """Ask for a rating of 0, 1 or 2.

    Attributes:
        passages: all that was retrieved.
        actual_output: what is judged.
        alternate_wording: ask in the other wording.
    """

    answer = Rating
    instruction = """\
Rate whether the passages bear out the actual output.
2: every statement of it. 1: some statements. 0: none, or they contradict it.
---
Mark the actual output as if each of its statements had to be proved by the passages.
2: all can be proved. 1: a part can. 0: nothing can, or the passages disprove it."""

    passages: tuple[str, ...]
    actual_output: str
    alternate_wording: bool = False

    def task(self) -> str:
        """Return one of the two wordings."""
        return self.instruction.split("\n---\n")[self.alternate_wording]

    def check(self, answer: Rating) -> str | None:
        """Demand a score of the scale."""
        return check_on_scale(answer.score, SCALE)
