"""Argument correctness: were the tools called with the right arguments?

    score = calls whose arguments are right / all calls; 1 where no tool was called

Whether the right tools were called is tool correctness. Source: DeepEval, argument correctness.
"""

from ragstone.metrics.base.metric import MetricContext, Score, TestCase
from ragstone.metrics.shared.tool_calls import recorded_tool_calls, tool_calls_json
from ragstone.metrics.shared.verdict_share import VerdictShareMetric
from ragstone.prompts import JudgeArguments


class ArgumentCorrectness(VerdictShareMetric):
    """Were the tools called with the right arguments? One judge call, none where no tool was called."""

    needs = ("input",)
    prompts = (JudgeArguments,)
    reason, examples = "{} of {} tool calls have the right arguments.", "Wrong"
    of_nothing = (1.0, "No tool was called, so no argument is wrong.")

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask for a verdict on each call."""
        calls = tool_calls_json(recorded_tool_calls(self.title, case))
        if not calls:
            return self.score(())
        return self.score((await ctx.ask(JudgeArguments(tool_calls=calls, input=case.input))).on(calls))
