"""Joint context relevance: can the input be answered from all passages together?

    score = mean of two ratings / 2, each 0, 1 or 2, asked in two wordings

Unlike context relevance, which rates each passage by itself, one good passage among many is enough here. Source:
NVIDIA's context relevance, in Ragas.
"""

from collections.abc import Sequence

from ragstone.metrics.base.metric import Metric, MetricContext, Score, TestCase
from ragstone.metrics.shared.ratings import mean_of_wordings
from ragstone.prompts import RateContexts, Rating


class JointContextRelevance(Metric):
    """Can the input be answered from all passages together? Two judge calls at the same time."""

    needs = ("input", "retrieval_context")
    prompts = (RateContexts,)
    score_without_passages = 0.0

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Have the passages rated twice."""
        passages = case.passages()
        prompts = [
            RateContexts(passages=passages, input=case.input, alternate_wording=two) for two in (False, True)
        ]
        return self.score(await ctx.ask_all(prompts))

    def score(self, ratings: Sequence[Rating]) -> Score:
        """Score the ratings. Pure."""
        return mean_of_wordings(ratings, 2)
