"""Answer relevance: does the actual output answer the input?

    score = rating / 3, the output rated 0 to 3

Unlike answer relevancy, which counts statements off the topic, this asks whether the question was answered: a refusal
scores 0. A low score blames the generator. Source: TruLens, RAG triad.
"""

from collections.abc import Sequence

from ragstone.metrics.base.metric import Metric, MetricContext, Score, TestCase
from ragstone.metrics.shared.ratings import RatedText, mean_rating
from ragstone.prompts import RateAnswer


class AnswerRelevance(Metric):
    """Does the actual output answer the input? One judge call."""

    needs = ("input", "actual_output")
    prompts = (RateAnswer,)
    output_form = "prose"

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Have the output rated."""
        text = case.text("actual_output")
        rating = await ctx.ask(RateAnswer(actual_output=text, input=case.input))
        return self.score([RatedText.of(text, rating)])

    def score(self, rated: Sequence[RatedText]) -> Score:
        """Score the rating of the output. Pure."""
        return mean_rating(rated, 3, "output")
