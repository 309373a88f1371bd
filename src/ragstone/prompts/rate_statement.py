"""How far do the passages support a statement?"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Rating
from ragstone.prompts.base.prompt import Prompt


@dataclass(frozen=True, kw_only=True)
class RateStatement(Prompt[Rating]):
    """Ask for a rating from 0 to 3 of one statement, with the evidence quoted in the reason."""

    answer = Rating
    instruction = """\
Rate from 0 to 3 how far the passages support the statement; the reason quotes the words that decide.
3: they state or directly imply all of it. 2: they support its main part, and contradict nothing. 1: they support a \
small part, or contradict a part. 0: they support nothing of it. A statement that only says that the answer is not \
known, or declines to give one, is 3."""
    scale = (0, 1, 2, 3)

    passages: tuple[str, ...]
    statement: str
