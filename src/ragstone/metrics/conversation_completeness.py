"""Conversation completeness: did the user get everything they asked for?

    score = intentions of the user that are satisfied by the end / all intentions

A conversation in which the user wants nothing cannot be measured. Source: DeepEval, conversation completeness.
"""

from ragstone.errors import NotApplicable
from ragstone.metrics.base.metric import MetricContext, Score, TestCase
from ragstone.metrics.shared.conversation import turn_texts
from ragstone.metrics.shared.verdict_share import VerdictShareMetric
from ragstone.prompts import ExtractIntentions, JudgeIntentions


class ConversationCompleteness(VerdictShareMetric):
    """Did the user get everything they asked for? Two judge calls."""

    needs = ("turns",)
    prompts = (ExtractIntentions, JudgeIntentions)
    reason, examples, statements_key = "{} of {} intentions are satisfied.", "Open", "intentions"

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask for the user's intentions, then for a verdict on each."""
        turns = turn_texts(case)
        intentions = (await ctx.ask(ExtractIntentions(turns=turns))).intentions
        if not intentions:
            raise NotApplicable("The user wants nothing in this conversation: there is nothing to complete.")
        return self.score((await ctx.ask(JudgeIntentions(turns=turns, intentions=intentions))).on(intentions))
