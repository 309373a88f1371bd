"""Do the passages, taken together, hold what the input asks for? Two wordings.

Source: NVIDIA's context relevance, in Ragas; the wordings are ours.
"""

from dataclasses import dataclass

from ragstone.prompts.base.prompt import TwoWordings


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
