"""Answered parts: does the actual output answer every part of the question?

    score = answered parts of the input / its parts

A plain question has one part. Whether an answer is true does not matter here. A low score blames the generator, or a
retriever that fetched passages on one part only. Source: the sub-questions of ASQA, arXiv:2204.06092, and QAMPARI.
"""

from collections.abc import Sequence

from ragstone.case import TestCase
from ragstone.engine.context import MetricContext
from ragstone.metrics.base.metric import Metric
from ragstone.metrics.base.score import findings, list_examples, share, verdict_dicts
from ragstone.prompts import JudgeParts
from ragstone.score import Score, bounded
from ragstone.verdict import Verdict


class AnsweredParts(Metric):
    """Does the output answer every part of the question? One judge call."""

    needs = ("input", "actual_output")
    prompts = (JudgeParts,)
    output_form = "prose"

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask for the parts of the input, and whether each is answered."""
        answer = await ctx.ask(JudgeParts(input=case.input, actual_output=case.text("actual_output")))
        return self.score([part.as_verdict() for part in answer.verdicts])

    @bounded()
    def score(self, verdicts: Sequence[Verdict]) -> Score:
        """Score the verdicts on the parts; there must be one. Pure."""
        open_ = [verdict for verdict in verdicts if verdict.verdict != "yes"]
        reason = f"{len(verdicts) - len(open_)} of {len(verdicts)} parts of the input are answered."
        metadata = {"parts": [verdict.statement for verdict in verdicts], "verdicts": verdict_dicts(verdicts)}
        value = share(verdicts, frozenset({"yes"}))
        return Score(value, reason + list_examples("Unanswered", open_), metadata, findings(verdicts))
