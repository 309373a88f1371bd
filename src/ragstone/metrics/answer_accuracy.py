"""Answer accuracy: does the actual output agree with the expected output?

    score = mean of two ratings / 4, each 0, 2 or 4, asked in two wordings

    0  the core of what was asked is missing or contradicted, however many side facts agree
    2  the core holds, but another part that was asked for is missing, or one is contradicted
    4  all of it holds; an answer may say more

The second wording does not tell which of the two is the reference. Of several accepted references the one that fits
best counts. Source: NVIDIA's answer accuracy, in Ragas.
"""

from collections.abc import Sequence
from typing import Literal

from ragstone.metrics.base.cases import references
from ragstone.metrics.base.metric import Metric, MetricContext, Score, TestCase
from ragstone.metrics.shared.ratings import mean_of_wordings
from ragstone.prompts import RateAccuracy, Rating
from ragstone.text.preparation import prepared


class AnswerAccuracy(Metric):
    """Does the actual output agree with the expected output? Two judge calls at the same time.

    Attributes:
        wordings: in how many wordings the rating is asked: 2, or 1 for one call.
    """

    needs = ("input", "actual_output", "expected_output")
    prompts = (RateAccuracy,)
    output_form = "prose"

    threshold: float | None = 0.75
    wordings: Literal[1, 2] = 2

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Have the output rated, once in each wording."""
        expected, *others = (prepared(text, self.output_form).text for text in references(case))
        prompts = [
            RateAccuracy(
                input=case.input,
                actual_output=case.text("actual_output"),
                expected_output=(expected, *others) if others else expected,
                alternate_wording=second,
            )
            for second in (False, True)[: self.wordings]
        ]
        return self.score(await ctx.ask_all(prompts))

    def score(self, ratings: Sequence[Rating]) -> Score:
        """Score the ratings. Pure."""
        return mean_of_wordings(ratings, 4)
