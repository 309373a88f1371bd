"""Response groundedness: do the passages bear out the actual output as a whole?

    score = mean of two ratings / 2, each 0, 1 or 2, asked in two wordings

Cheaper and coarser than groundedness, which rates each statement. Source: NVIDIA's response groundedness, in Ragas.
"""

from collections.abc import Sequence

from ragstone.metrics.base.metric import Metric, MetricContext, Score, TestCase
from ragstone.metrics.shared.ratings import mean_of_wordings
from ragstone.prompts import RateGrounding, Rating


class ResponseGroundedness(Metric):
    """Do the passages bear out the output as a whole? Two judge calls at the same time."""

    needs = ("input", "actual_output", "retrieval_context")
    prompts = (RateGrounding,)
    output_form = "prose"

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Have the output rated twice."""
        passages, text = case.passages(), case.text("actual_output")
        prompts = [
            RateGrounding(passages=passages, input=case.input, actual_output=text, alternate_wording=two)
            for two in (False, True)
        ]
        return self.score(await ctx.ask_all(prompts))

    def score(self, ratings: Sequence[Rating]) -> Score:
        """Score the ratings. Pure."""
        return mean_of_wordings(ratings, 2)
