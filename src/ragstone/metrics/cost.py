"""Cost: Did the answer cost no more than its budget? No judge.

    score = 1 where `metadata.cost` of the test case is at most `budget_usd`, else 0

The mean over test cases is the share within the budget: the 95th percentile is within it where 95 % of the cases pass.
Source: own definition.
"""

from ragstone.case import TestCase
from ragstone.engine.context import MetricContext
from ragstone.metrics.base.metric import Metric
from ragstone.metrics.shared.quantities import check_budget, known_quantity, within_budget
from ragstone.score import Score


class Cost(Metric):
    """Did the answer cost no more than its budget? No judge call.

    Attributes:
        budget_usd: the most US dollars that an answer may cost.
    """

    needs = ()

    threshold: float = 1.0
    budget_usd: float

    def __post_init__(self) -> None:
        """Reject a budget that is not above 0."""
        super().__post_init__()
        check_budget(self.title, "budget_usd", self.budget_usd)

    def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Read the cost of the answer."""
        del ctx
        return self.score(known_quantity(case, "cost"))

    def score(self, value: float) -> Score:
        """Compare with the budget. Pure."""
        return within_budget(value, self.budget_usd, "${:,.4f}", ("cost", "budget_usd"))
