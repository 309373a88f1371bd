"""Do the passages support the actual output as a whole? Two wordings.

Source: NVIDIA's response groundedness, in Ragas; the wordings are ours.
"""

from dataclasses import dataclass

from ragstone.prompts.base.prompt import TwoWordings


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
