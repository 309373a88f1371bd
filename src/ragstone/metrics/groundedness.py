"""Groundedness: do the retrieved passages bear out each statement of the actual output?

    score = mean over the statements of rating / 3, each rated 0 to 3 by itself

A statement that only says that the answer is not known counts as supported. An output that states nothing has nothing
ungrounded and scores 1. A low score blames the generator: it says what its sources do not. Source: TruLens, RAG triad.
"""

from collections.abc import Sequence

from ragstone.metrics.base.metric import Metric, MetricContext, Score, TestCase
from ragstone.metrics.shared.ratings import RatedText, mean_rating
from ragstone.prompts import ExtractStatements, RateStatement

_BEST = 3


class Groundedness(Metric):
    """Do the passages bear out each statement of the output? One judge call, and one a statement at the same time."""

    needs = ("input", "actual_output", "retrieval_context")
    prompts = (ExtractStatements, RateStatement)
    output_form = "prose"

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask for the statements, then have each rated."""
        found = (
            await ctx.ask(ExtractStatements(input=case.input, text=case.text("actual_output")))
        ).statements
        passages = case.passages()
        ratings = await ctx.ask_all(
            [RateStatement(passages=passages, input=case.input, statement=text) for text in found]
        )
        rated = [RatedText.of(text, rating) for text, rating in zip(found, ratings, strict=True)]
        return self.score(rated if passages else list(map(_unsupported, rated)))

    def score(self, rated: Sequence[RatedText]) -> Score:
        """Score the ratings of the statements. Pure."""
        if not rated:
            reason = "The actual output makes no statement, so nothing in it is ungrounded."
            return Score(1.0, reason, {"ratings": [], "scale": [0, 3], "verdicts": []})
        return mean_rating(rated, _BEST, "statement")


def _unsupported(item: RatedText) -> RatedText:
    """Return the rating where nothing was retrieved: no part of a statement is supported, except that of a refusal."""
    return item if item.score == _BEST else item._replace(score=0, reason="nothing was retrieved")
