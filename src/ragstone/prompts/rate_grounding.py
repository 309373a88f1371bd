"""How far do the passages support one statement (`RateStatement`), or the actual output as a whole (`RateGrounding`)?

Source of the two wordings of `RateGrounding`: NVIDIA's response groundedness, in Ragas; the wordings are ours.
"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Rating
from ragstone.prompts.base.prompt import Prompt, TwoWordings


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


@dataclass(frozen=True, kw_only=True)
class RateGrounding(TwoWordings):
    """Ask for a rating of 0, 1 or 2.

    Attributes:
        passages: all that was retrieved.
        actual_output: what is judged.
    """

    wordings = (
        """\
Rate whether the passages support the actual output: a passage says it, or it follows directly. The reason names \
each statement that is not supported.
2: every statement is supported, or the output states nothing. 1: at least one is and at least one is not, be it \
missing or contradicted. 0: none is.""",
        """\
Grade the actual output as if each of its statements had to be found in the passages, said there or following \
directly. The reason names each statement that is not.
2: all are found, or the output states nothing. 1: at least one is and at least one is not, be it missing or \
contradicted. 0: none is.""",
    )
    scale = (0, 1, 2)

    passages: tuple[str, ...]
    actual_output: str
