"""How far do the passages bear out a statement?"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Rating
from ragstone.prompts.base.prompt import Prompt, check_on_scale


@dataclass(frozen=True, kw_only=True)
class RateStatement(Prompt[Rating]):
    """Ask for a rating from 0 to 3 of one statement, with the evidence quoted in the reason."""

    answer = Rating
    instruction = """\
Rate from 0 to 3 how far the passages bear out the statement; the reason quotes the words that decide.
3: they state or directly imply all of it. 2: its main part. 1: a small part.
0: nothing of it, or they contradict it. A statement that only says that the answer is not known, or declines \
to give one, is 3."""

    passages: tuple[str, ...]
    statement: str

    def check(self, answer: Rating) -> str | None:
        """Demand a score of the scale."""
        return check_on_scale(answer.score, range(4))
