"""A metric that asks which of two answers is better: 1 the first, 0 the second, 0.5 neither.

The first answer is the actual output, the second the expected one. It serves the judge card alone.
"""

from ragstone.case import TestCase
from ragstone.engine.context import MetricContext
from ragstone.metrics.base.metric import Metric
from ragstone.metrics.base.score import Score
from ragstone.prompts import PreferAnswer

SCORES = {"first": 1.0, "tie": 0.5, "second": 0.0}


class PrefersFirst(Metric):
    """Ask which of two answers is better. One judge call."""

    needs = ("input", "actual_output", "expected_output")
    prompts = (PreferAnswer,)

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask."""
        asked = PreferAnswer(
            passages=case.get("retrieval_context") or (),
            input=case.text("input"),
            first=case.text("actual_output"),
            second=case.text("expected_output"),
        )
        answer = await ctx.ask(asked)
        return Score(SCORES[answer.choice], answer.reason, {"choice": answer.choice})
