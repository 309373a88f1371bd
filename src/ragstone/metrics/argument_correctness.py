"""Argument correctness: were the tools called with the right arguments?

    score = calls whose arguments are right / all calls; 1 where no tool was called

Whether the right tools were called is tool correctness. Source: DeepEval, argument correctness.
"""

from collections.abc import Sequence

from ragstone.case import TestCase
from ragstone.engine.context import MetricContext
from ragstone.metrics.base.metric import Metric
from ragstone.metrics.base.score import findings, list_examples, share, verdict_dicts
from ragstone.metrics.shared.tool_calls import recorded_tool_calls, tool_calls_json
from ragstone.prompts import JudgeArguments
from ragstone.score import Score, bounded
from ragstone.verdict import Verdict


class ArgumentCorrectness(Metric):
    """Were the tools called with the right arguments? One judge call, none where no tool was called."""

    needs = ("input",)
    prompts = (JudgeArguments,)

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask for a verdict on each call."""
        calls = tool_calls_json(recorded_tool_calls(self.title, case))
        if not calls:
            return self.score(())
        return self.score((await ctx.ask(JudgeArguments(tool_calls=calls, input=case.input))).on(calls))

    @bounded()
    def score(self, verdicts: Sequence[Verdict]) -> Score:
        """Score the verdicts on the calls. Pure."""
        if not verdicts:
            return Score(1.0, "No tool was called, so no argument is wrong.", {"verdicts": []})
        wrong = [verdict for verdict in verdicts if verdict.verdict != "yes"]
        reason = f"{len(verdicts) - len(wrong)} of {len(verdicts)} tool calls have the right arguments."
        value = share(verdicts, frozenset({"yes"}))
        return Score(
            value,
            reason + list_examples("Wrong", wrong),
            {"verdicts": verdict_dicts(verdicts)},
            findings(verdicts),
        )
