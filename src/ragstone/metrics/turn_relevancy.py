"""Turn relevancy: does each reply of a conversation answer what was said?

    score = relevant assistant turns / all assistant turns

Source: DeepEval, turn relevancy, which asks about each turn in a window of its own; here all are judged in one call.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.case import TestCase
from ragstone.judges._inquiry import Inquiry
from ragstone.metrics._base import Metric
from ragstone.metrics._conversation import replies, share_of_good, spoken
from ragstone.metrics._score import Score
from ragstone.prompts import JudgeReplies
from ragstone.verdict import Verdict


@dataclass(frozen=True, kw_only=True, repr=False)
class TurnRelevancy(Metric):
    """Does each reply of a conversation answer what was said? One judge call."""

    needs = ("turns",)
    prompts = (JudgeReplies,)

    async def assess(self, case: TestCase, inquiry: Inquiry) -> Score:
        """Ask for a verdict on each reply."""
        said = replies(case)
        return self.score((await inquiry.ask(JudgeReplies(turns=spoken(case), replies=len(said)))).on(said))

    def score(self, verdicts: Sequence[Verdict]) -> Score:
        """Score the verdicts on the replies; there must be one. Pure."""
        return share_of_good(verdicts, "are relevant", "Irrelevant")
