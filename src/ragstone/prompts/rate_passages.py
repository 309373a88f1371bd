"""How much of what the input asks for do passages contain, one by one or together; how far do they support an output?

Source of the two wordings of `RateContexts` and `RateGrounding`: NVIDIA's context relevance and response
groundedness, in Ragas; the wordings are ours.
"""

from dataclasses import dataclass, field

from ragstone.prompts.base.answer import Rating
from ragstone.prompts.base.prompt import GIVEN, OPTIONAL, Prompt, TwoWordings


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
