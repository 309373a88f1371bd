"""Knowledge retention: does the assistant remember the information that the user has given?

    score = assistant turns that forget nothing / all assistant turns

Source: DeepEval, knowledge retention, which asks twice a turn; here all are judged in one call.
"""

from collections.abc import Sequence

from ragstone.case import TestCase
from ragstone.engine.context import MetricContext
from ragstone.metrics.base.metric import Metric
from ragstone.metrics.shared.conversation import assistant_turns_score, replies, turn_texts
from ragstone.prompts import JudgeRetention
from ragstone.score import Score, bounded
from ragstone.verdict import Verdict


class KnowledgeRetention(Metric):
    """Does the assistant remember the information that the user has given? One judge call."""

    needs = ("turns",)
    prompts = (JudgeRetention,)

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask for a verdict on each reply."""
        said = replies(case)
        return self.score((await ctx.ask(JudgeRetention(turns=turn_texts(case), replies=len(said)))).on(said))

    @bounded()
    def score(self, verdicts: Sequence[Verdict]) -> Score:
        """Score the verdicts on the replies; there must be one. Pure."""
        return assistant_turns_score(verdicts, "keep in mind what was said", "Forgetful")
