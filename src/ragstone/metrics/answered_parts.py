"""Answered parts: does the actual output answer every part of the question?

    score = answered parts of the input / its parts

A plain question has one part. Whether an answer is true does not matter here. A low score blames the generator, or a
retriever that fetched passages on one part only. Source: the sub-questions of ASQA, arXiv:2204.06092, and QAMPARI.
"""

from ragstone.metrics.base.metric import MetricContext, Score, TestCase
from ragstone.metrics.shared.verdict_share import VerdictShareMetric
from ragstone.prompts import JudgeParts


class AnsweredParts(VerdictShareMetric):
    """Does the output answer every part of the question? One judge call."""

    needs = ("input", "actual_output")
    prompts = (JudgeParts,)
    output_form = "prose"
    reason, examples, statements_key = "{} of {} parts of the input are answered.", "Unanswered", "parts"

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask for the parts of the input, and whether each is answered."""
        answer = await ctx.ask(JudgeParts(input=case.input, actual_output=case.text("actual_output")))
        return self.score([part.as_verdict() for part in answer.verdicts])
