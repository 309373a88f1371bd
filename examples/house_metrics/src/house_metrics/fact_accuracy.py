"""Fact accuracy: which share of the facts in the actual output does the retrieval context bear out? Two judge calls.

score = facts borne out / all facts; 1 where the output states none
"""

from collections.abc import Sequence

from ragstone import TestCase, Verdict
from ragstone.judges import MetricContext
from ragstone.metrics import Metric, Score
from ragstone.prompts import ExtractClaims, JudgeClaims


class FactAccuracy(Metric):
    """Which share of the facts does the context bear out? Two judge calls, by prompts that ragstone has already."""

    needs = ("actual_output", "retrieval_context")
    prompts = (ExtractClaims, JudgeClaims)

    threshold: float = 0.8

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Extract the facts, then verify each."""
        facts = (await ctx.ask(ExtractClaims(input=case.input, text=case.text("actual_output")))).claims
        if not facts:
            return self.score(())
        answer = await ctx.ask(JudgeClaims(evidence_texts=case.passages(), input=case.input, claims=facts))
        return self.score(answer.on(facts))

    def score(self, verdicts: Sequence[Verdict]) -> Score:
        """Score the verdicts. Pure, so that it is tested without a judge."""
        correct = sum(verdict.verdict == "yes" for verdict in verdicts)
        value = correct / len(verdicts) if verdicts else 1.0
        metadata = {"verdicts": [verdict.as_dict() for verdict in verdicts]}
        return Score(value, f"{correct} of {len(verdicts)} facts are verified.", metadata)
