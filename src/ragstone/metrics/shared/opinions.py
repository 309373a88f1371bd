"""Metrics that are the share of opinions with a flaw. The subclasses differ in the flaw."""

from typing import Any, ClassVar

from ragstone.metrics.base.metric import MetricContext, Score, TestCase
from ragstone.metrics.shared.verdict_share import VerdictShareMetric
from ragstone.prompts import ExtractOpinions


class OpinionMetric(VerdictShareMetric):
    """Base of the metrics of opinions: yes says that an opinion has the flaw.

    Attributes:
        judged: the prompt that asks for the verdicts, a `Prompt[Decisions]` with `opinions`.
    """

    needs = ("input", "actual_output")
    output_form = "prose"
    higher_is_better = False
    judged: ClassVar[type[Any]]
    examples, statements_key = "Named", "opinions"

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask for the opinions, then for a verdict on each."""
        opinions = (await ctx.ask(ExtractOpinions(text=case.text("actual_output")))).opinions
        return self.score((await ctx.ask(self.judged(opinions=opinions))).on(opinions) if opinions else ())
