"""Context relevance: does each retrieved passage give what the input asks for?

    score = mean over the passages of rating / 3, each rated 0 to 3 by itself

A low score blames the retriever: it fetched passages that do not help. Source: TruLens, RAG triad.
"""

from collections.abc import Sequence

from ragstone.metrics.base.metric import Metric, MetricContext, Score, TestCase
from ragstone.metrics.shared.ratings import RatedText, mean_rating
from ragstone.prompts import RatePassage


class ContextRelevance(Metric):
    """Does each retrieved passage give what the input asks for? One judge call a passage, at the same time."""

    needs = ("input", "retrieval_context")
    prompts = (RatePassage,)
    score_without_passages = 0.0

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Have each passage rated."""
        passages = case.passages()
        ratings = await ctx.ask_all([RatePassage(passage=text, input=case.input) for text in passages])
        pairs = enumerate(zip(passages, ratings, strict=True), 1)
        return self.score([RatedText.of(text, rating, number) for number, (text, rating) in pairs])

    def score(self, rated: Sequence[RatedText]) -> Score:
        """Score the ratings of the passages. Pure."""
        return mean_rating(rated, 3, "passage")
