"""Hallucination: how many of the given contexts does the actual output contradict? Lower is better.

    score = contradicted contexts / all contexts

A high score blames the generator: it says otherwise than what is known to be true. Source: DeepEval, hallucination.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ragstone.errors import NotApplicable
from ragstone.metrics.base.metric import MetricContext, Score, TestCase
from ragstone.metrics.shared.verdict_share import VerdictShareMetric
from ragstone.prompts import JudgeAgreement
from ragstone.verdict import Verdict


class Hallucination(VerdictShareMetric):
    """How many of the given contexts does the actual output contradict? Lower is better. One judge call."""

    needs = ("input", "actual_output", "context")
    prompts = (JudgeAgreement,)
    output_form = "prose"
    higher_is_better = False
    counted = frozenset({"no"})
    reason, examples = "The actual output contradicts {} of {} contexts.", "Contradicted"

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask of each context whether the output agrees with it."""
        contexts = case.passages("context")
        if not contexts:
            raise NotApplicable("There is no context, so there is nothing to contradict.")
        answer = await ctx.ask(
            JudgeAgreement(contexts=contexts, input=case.input, actual_output=case.text("actual_output"))
        )
        pairs = zip(answer.verdicts, answer.on(contexts), strict=True)
        return self.score(
            [
                replace(verdict, passage=number, span=decision.evidence.span)
                for number, (decision, verdict) in enumerate(pairs, 1)
            ]
        )

    def details(self, verdicts: Sequence[Verdict]) -> dict[str, Any]:
        """Return the number of contexts."""
        return {"context_count": len(verdicts)}
