"""Tokens: Did the answer take no more tokens than its budget? No judge.

    score = 1 where the sum of `input` and `output` in `metadata.tokens` of the test case is at most `budget`, else 0

The mean over test cases is the share within the budget: the 95th percentile is within it where 95 % of the cases pass.
Source: own definition.
"""

from ragstone.case import TestCase
from ragstone.engine.context import MetricContext
from ragstone.metrics.base.metric import Metric
from ragstone.metrics.shared.quantities import check_budget, known_quantity, within_budget
from ragstone.score import Score


class Tokens(Metric):
    """Did the answer take no more tokens than its budget? No judge call.

    Attributes:
        budget: the most tokens, sent and received, that an answer may take.
    """

    needs = ()

    threshold: float = 1.0
    budget: float

    def __post_init__(self) -> None:
        """Reject a budget that is not above 0."""
        super().__post_init__()
        check_budget(self.title, "budget", self.budget)

    def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Read the tokens of the answer."""
        del ctx
        return self.score(known_quantity(case, "tokens"))

    def score(self, value: float) -> Score:
        """Compare with the budget. Pure."""
        return within_budget(value, self.budget, "{:,.0f} tokens", ("tokens", "budget"))
