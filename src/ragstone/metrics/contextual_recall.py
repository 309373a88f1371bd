"""Contextual recall: how much of the expected output do the retrieved passages support?

    score = statements of the expected output that some passage supports / all its statements

A low score blames the retriever: what the answer needs was never fetched. Source: RAGAS, arXiv:2309.15217, and its
context recall; the attribution of each fact to a passage follows llm4s' FactAttribution.
"""

from collections.abc import Sequence
from typing import Any

from ragstone.metrics.base.metric import MetricContext, Score, TestCase
from ragstone.metrics.shared.verdict_share import VerdictShareMetric
from ragstone.prompts import AttributeStatements
from ragstone.verdict import Verdict


class ContextualRecall(VerdictShareMetric):
    """How much of the expected output do the retrieved passages support? One judge call."""

    needs = ("input", "expected_output", "retrieval_context")
    prompts = (AttributeStatements,)
    score_without_passages = 0.0
    output_form = "prose"
    reason, examples, statements_key = (
        "{} of {} statements of the expected output are supported.",
        "Not supported",
        "statements",
    )

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask for the statements of the expected output and the passage that supports each."""
        prompt = AttributeStatements(
            passages=case.passages(), input=case.input, expected_output=case.text("expected_output")
        )
        answer = await ctx.ask(prompt)
        return self.score([attribution.as_verdict() for attribution in answer.verdicts])

    def details(self, verdicts: Sequence[Verdict]) -> dict[str, Any]:
        """Return the statements, and llm4s' FactAttribution of each."""
        facts = [
            {"fact": each.statement, "covered": each.verdict == "yes", "source_context": each.passage}
            for each in verdicts
        ]
        return {**super().details(verdicts), "facts": facts}
