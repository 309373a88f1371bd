"""Hallucination: how many of the given contexts does the actual output contradict? Lower is better.

    score = contradicted contexts / all contexts

A high score blames the generator: it says otherwise than what is known to be true. Source: DeepEval, hallucination.
"""

from collections.abc import Sequence
from dataclasses import replace

from ragstone.case import TestCase
from ragstone.engine.context import MetricContext
from ragstone.errors import NotApplicable
from ragstone.metrics.base.metric import Metric
from ragstone.metrics.base.score import findings, list_examples, share, verdict_dicts
from ragstone.prompts import JudgeAgreement
from ragstone.score import Score, bounded
from ragstone.verdict import Verdict


class Hallucination(Metric):
    """How many of the given contexts does the actual output contradict? Lower is better. One judge call."""

    needs = ("input", "actual_output", "context")
    prompts = (JudgeAgreement,)
    output_form = "prose"
    higher_is_better = False

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask of each context whether the output agrees with it."""
        contexts = case.passages("context")
        if not contexts:
            raise NotApplicable("There is no context, so there is nothing to contradict.")
        answer = await ctx.ask(
            JudgeAgreement(contexts=contexts, input=case.input, actual_output=case.text("actual_output"))
        )
        return self.score(
            [
                replace(verdict, passage=number, span=decision.evidence.span)
                for number, (decision, verdict) in enumerate(
                    zip(answer.verdicts, answer.on(contexts), strict=True), 1
                )
            ]
        )

    @bounded()
    def score(self, verdicts: Sequence[Verdict]) -> Score:
        """Score the verdicts on the contexts; there must be one. Pure."""
        contradicted = [verdict for verdict in verdicts if verdict.verdict == "no"]
        reason = f"The actual output contradicts {len(contradicted)} of {len(verdicts)} contexts."
        metadata = {"verdicts": verdict_dicts(verdicts), "context_count": len(verdicts)}
        value = share(verdicts, frozenset({"no"}))
        return Score(
            value, reason + list_examples("Contradicted", contradicted), metadata, findings(verdicts)
        )
