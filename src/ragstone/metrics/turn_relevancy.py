"""Turn relevancy: does each reply of a conversation respond to the user's messages?

    score = relevant assistant turns / all assistant turns

Source: DeepEval, turn relevancy, which asks about each turn in a window of its own; here all are judged in one call.
"""

from collections.abc import Sequence

from ragstone.case import TestCase
from ragstone.engine.context import MetricContext
from ragstone.metrics.base.metric import Metric
from ragstone.metrics.shared.conversation import assistant_turns_score, replies, turn_texts
from ragstone.prompts import JudgeReplies
from ragstone.score import Score, bounded
from ragstone.verdict import Verdict


class TurnRelevancy(Metric):
    """Does each reply of a conversation respond to the user's messages? One judge call."""

    needs = ("turns",)
    prompts = (JudgeReplies,)

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask for a verdict on each reply."""
        said = replies(case)
        return self.score((await ctx.ask(JudgeReplies(turns=turn_texts(case), replies=len(said)))).on(said))

    @bounded()
    def score(self, verdicts: Sequence[Verdict]) -> Score:
        """Score the verdicts on the replies; there must be one. Pure."""
        return assistant_turns_score(verdicts, "are relevant", "Irrelevant")
