"""Answer relevancy: how much of the actual output has to do with the input?

    score = (relevant + supporting statements) / all statements of the actual output

An output that states nothing has nothing irrelevant and scores 1. A low score blames the generator: it rambles, or
answers another question. Whether the statements are true does not matter here. Source: DeepEval, answer relevancy.
"""

from ragstone.metrics.base.metric import MetricContext, Score, TestCase
from ragstone.metrics.shared.verdict_share import VerdictShareMetric
from ragstone.prompts import ExtractStatements, JudgeStatements


class AnswerRelevancy(VerdictShareMetric):
    """How much of the actual output has to do with the input? Two judge calls."""

    needs = ("input", "actual_output")
    prompts = (ExtractStatements, JudgeStatements)
    output_form = "prose"
    counted = frozenset({"yes", "idk"})
    reason, examples, statements_key = (
        "{} of {} statements are relevant to the input.",
        "Irrelevant",
        "statements",
    )
    of_nothing = (1.0, "The actual output makes no statement, so nothing in it is irrelevant.")

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask for the statements of the output, then for a verdict on each."""
        found = await ctx.ask(ExtractStatements(input=case.input, text=case.text("actual_output")))
        if not found.statements:
            return self.score(())
        answer = await ctx.ask(JudgeStatements(input=case.input, statements=found.statements))
        return self.score(answer.on(found.statements))
