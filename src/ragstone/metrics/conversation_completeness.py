"""Conversation completeness: did the user get everything they asked for?

    score = intentions of the user that are satisfied by the end / all intentions

A conversation in which the user wants nothing cannot be measured. Source: DeepEval, conversation completeness.
"""

from collections.abc import Sequence
from typing import Any

from ragstone.case import TestCase
from ragstone.engine.context import MetricContext
from ragstone.errors import NotApplicable
from ragstone.metrics.base.metric import Metric
from ragstone.metrics.base.score import findings, list_examples, share, verdict_dicts
from ragstone.metrics.shared.conversation import turn_texts
from ragstone.prompts import ExtractIntentions, JudgeIntentions
from ragstone.score import Score, bounded
from ragstone.verdict import Verdict


class ConversationCompleteness(Metric):
    """Did the user get everything they asked for? Two judge calls."""

    needs = ("turns",)
    prompts = (ExtractIntentions, JudgeIntentions)

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask for the user's intentions, then for a verdict on each."""
        turns = turn_texts(case)
        intentions = (await ctx.ask(ExtractIntentions(turns=turns))).intentions
        if not intentions:
            raise NotApplicable("The user wants nothing in this conversation: there is nothing to complete.")
        return self.score((await ctx.ask(JudgeIntentions(turns=turns, intentions=intentions))).on(intentions))

    @bounded()
    def score(self, verdicts: Sequence[Verdict]) -> Score:
        """Score the verdicts on the intentions; there must be one. Pure."""
        unsatisfied = [verdict for verdict in verdicts if verdict.verdict != "yes"]
        reason = f"{len(verdicts) - len(unsatisfied)} of {len(verdicts)} intentions are satisfied."
        metadata: dict[str, Any] = {
            "intentions": [verdict.statement for verdict in verdicts],
            "verdicts": verdict_dicts(verdicts),
        }
        value = share(verdicts, frozenset({"yes"}))
        return Score(value, reason + list_examples("Open", unsatisfied), metadata, findings(verdicts))
