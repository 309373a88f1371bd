"""Contextual recall: how much of the expected output do the retrieved passages support?

    score = statements of the expected output that some passage supports / all its statements

A low score blames the retriever: what the answer needs was never fetched. Source: RAGAS, arXiv:2309.15217, and its
context recall; the attribution of each fact to a passage follows llm4s' FactAttribution.
"""

from collections.abc import Sequence
from typing import Any

from ragstone.case import TestCase
from ragstone.engine.context import MetricContext
from ragstone.metrics.base.metric import Metric
from ragstone.metrics.base.score import findings, list_examples, share, verdict_dicts
from ragstone.prompts import AttributeStatements
from ragstone.score import Score, bounded
from ragstone.verdict import Verdict


class ContextualRecall(Metric):
    """How much of the expected output do the retrieved passages support? One judge call."""

    needs = ("input", "expected_output", "retrieval_context")
    prompts = (AttributeStatements,)
    score_without_passages = 0.0
    output_form = "prose"

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask for the statements of the expected output and the passage that supports each."""
        prompt = AttributeStatements(
            passages=case.passages(), input=case.input, expected_output=case.text("expected_output")
        )
        answer = await ctx.ask(prompt)
        return self.score([attribution.as_verdict() for attribution in answer.verdicts])

    @bounded()
    def score(self, verdicts: Sequence[Verdict]) -> Score:
        """Score the verdicts on the statements; there must be one. Pure."""
        missing = [verdict for verdict in verdicts if verdict.verdict != "yes"]
        reason = f"{len(verdicts) - len(missing)} of {len(verdicts)} statements of the expected output are supported."
        metadata: dict[str, Any] = {
            "verdicts": verdict_dicts(verdicts),
            "statements": [verdict.statement for verdict in verdicts],
            "facts": [_fact(verdict) for verdict in verdicts],
        }
        return Score(
            share(verdicts, frozenset({"yes"})),
            reason + list_examples("Not supported", missing),
            metadata,
            findings(verdicts),
        )


def _fact(verdict: Verdict) -> dict[str, Any]:
    """Return llm4s' FactAttribution: the fact, whether it is covered, and the number of the passage that covers it."""
    return {"fact": verdict.statement, "covered": verdict.verdict == "yes", "source_context": verdict.passage}
