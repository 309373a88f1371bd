"""Latency: Did the application answer within its time budget? No judge.

    score = 1 where `metadata.latency_ms` of the test case is at most `budget_ms`, else 0

The mean over test cases is the share within the budget: the 95th percentile is within it where 95 % of the cases pass.
Source: own definition.
"""

from ragstone.case import TestCase
from ragstone.engine.context import MetricContext
from ragstone.metrics.base.metric import Metric
from ragstone.metrics.shared.quantities import check_budget, known_quantity, within_budget
from ragstone.score import Score


class Latency(Metric):
    """Did the application answer within its time budget? No judge call.

    Attributes:
        budget_ms: the most milliseconds that an answer may take.
    """

    needs = ()

    threshold: float = 1.0
    budget_ms: float

    def __post_init__(self) -> None:
        """Reject a budget that is not above 0."""
        super().__post_init__()
        check_budget(self.title, "budget_ms", self.budget_ms)

    def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Read the latency of the answer."""
        del ctx
        return self.score(known_quantity(case, "latency"))

    def score(self, value: float) -> Score:
        """Compare with the budget. Pure."""
        return within_budget(value, self.budget_ms, "{:,.1f} ms", ("latency_ms", "budget_ms"))
