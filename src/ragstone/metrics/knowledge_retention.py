"""Knowledge retention: does the assistant remember the information that the user has given?

    score = assistant turns that forget nothing / all assistant turns

Source: DeepEval, knowledge retention, which asks twice a turn; here all are judged in one call.
"""

from ragstone.case import TestCase
from ragstone.engine.context import MetricContext
from ragstone.metrics.shared.conversation import replies, turn_texts
from ragstone.metrics.shared.verdict_share import VerdictShareMetric
from ragstone.prompts import JudgeRetention
from ragstone.score import Score


class KnowledgeRetention(VerdictShareMetric):
    """Does the assistant remember the information that the user has given? One judge call."""

    needs = ("turns",)
    prompts = (JudgeRetention,)
    told, intro = "{} of {} assistant turns keep in mind what was said.", "Forgetful"

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask for a verdict on each reply."""
        said = replies(case)
        return self.score((await ctx.ask(JudgeRetention(turns=turn_texts(case), replies=len(said)))).on(said))
