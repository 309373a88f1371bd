"""How far do the passages support one statement (`RateStatement`), or the actual output as a whole (`RateGrounding`)?

Source of the two wordings of `RateGrounding`: NVIDIA's response groundedness, in Ragas; the wordings are ours.
"""

from dataclasses import dataclass, field

from ragstone.prompts.base.answer import Rating
from ragstone.prompts.base.prompt import GIVEN, OPTIONAL, Prompt, TwoWordings


@dataclass(frozen=True, kw_only=True)
class RateStatement(Prompt[Rating]):
    """Ask for a rating from 0 to 3 of one statement.

    Attributes:
        passages: all that was retrieved.
        input: the question that the statement answers; empty where there is none.
        statement: what is judged.
    """

    answer = Rating
    instruction = f"""\
Rate from 0 to 3 how far the passages support the statement. {GIVEN}
3: they state or directly imply all of it; a refusal, or that they are silent, where they are, is 3. 2: they support \
its main part, and contradict nothing. 1: they support a small part, or contradict a part. 0: they support nothing of \
it."""
    scale = (0, 1, 2, 3)

    passages: tuple[str, ...]
    input: str = field(default="", metadata=OPTIONAL)
    statement: str


@dataclass(frozen=True, kw_only=True)
class RateGrounding(TwoWordings):
    """Ask for a rating of 0, 1 or 2.

    Attributes:
        passages: all that was retrieved.
        input: the question that the output answers; empty where there is none.
        actual_output: what is judged.
    """

    wordings = (
        f"""\
Rate whether the passages state or directly imply the actual output; the reason names each statement that fails. \
{GIVEN}
2: all of it, or it states nothing. 1: at least one statement is and one is not, be it missing or contradicted. 0: \
none is.""",
        f"""\
Grade the actual output as if the passages had to state or directly imply each statement; the reason names those \
that fail. {GIVEN}
2: all hold, or it states nothing. 1: at least one holds and one does not, be it missing or contradicted. 0: none \
does.""",
    )
    scale = (0, 1, 2)

    passages: tuple[str, ...]
    input: str = field(default="", metadata=OPTIONAL)
    actual_output: str
