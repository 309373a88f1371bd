"""Turn relevancy: does each reply of a conversation respond to the user's messages?

    score = relevant assistant turns / all assistant turns

Source: DeepEval, turn relevancy, which asks about each turn in a window of its own; here all are judged in one call.
"""

from ragstone.case import TestCase
from ragstone.engine.context import MetricContext
from ragstone.metrics.shared.conversation import replies, turn_texts
from ragstone.metrics.shared.verdict_share import VerdictShareMetric
from ragstone.prompts import JudgeReplies
from ragstone.score import Score


class TurnRelevancy(VerdictShareMetric):
    """Does each reply of a conversation respond to the user's messages? One judge call."""

    needs = ("turns",)
    prompts = (JudgeReplies,)
    told, intro = "{} of {} assistant turns are relevant.", "Irrelevant"

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask for a verdict on each reply."""
        said = replies(case)
        return self.score((await ctx.ask(JudgeReplies(turns=turn_texts(case), replies=len(said)))).on(said))
