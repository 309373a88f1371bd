"""Answer relevancy: how much of the actual output has to do with the input?

    score = (relevant + supporting statements) / all statements of the actual output

An output that states nothing has nothing irrelevant and scores 1. A low score blames the generator: it rambles, or
answers another question. Whether the statements are true does not matter here. Source: DeepEval, answer relevancy.
"""

from collections.abc import Sequence

from ragstone.case import TestCase
from ragstone.engine.context import MetricContext
from ragstone.metrics.base.metric import Metric
from ragstone.metrics.base.score import findings, list_examples, share, verdict_dicts
from ragstone.prompts import ExtractStatements, JudgeStatements
from ragstone.score import Score, bounded
from ragstone.verdict import Verdict


class AnswerRelevancy(Metric):
    """How much of the actual output has to do with the input? Two judge calls."""

    needs = ("input", "actual_output")
    prompts = (ExtractStatements, JudgeStatements)
    output_form = "prose"

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask for the statements of the output, then for a verdict on each."""
        found = await ctx.ask(ExtractStatements(input=case.input, text=case.text("actual_output")))
        if not found.statements:
            return self.score(())
        answer = await ctx.ask(JudgeStatements(input=case.input, statements=found.statements))
        return self.score(answer.on(found.statements))

    @bounded()
    def score(self, verdicts: Sequence[Verdict]) -> Score:
        """Score the verdicts on the statements. Pure."""
        metadata = {
            "statements": [verdict.statement for verdict in verdicts],
            "verdicts": verdict_dicts(verdicts),
        }
        if not verdicts:
            return Score(
                1.0, "The actual output makes no statement, so nothing in it is irrelevant.", metadata
            )
        irrelevant = [verdict for verdict in verdicts if verdict.verdict == "no"]
        reason = f"{len(verdicts) - len(irrelevant)} of {len(verdicts)} statements are relevant to the input."
        value = share(verdicts, frozenset({"yes", "idk"}))
        return Score(value, reason + list_examples("Irrelevant", irrelevant), metadata, findings(verdicts))
