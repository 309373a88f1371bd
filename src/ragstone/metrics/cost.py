"""Cost: Did the answer cost no more than its budget? No judge.

    score = 1 where `metadata.cost` of the test case is at most `budget_usd`, else 0

The mean over test cases is the share within the budget: the 95th percentile is within it where 95 % of the cases pass.
Source: own definition.
"""

from ragstone.metrics.shared.budgets import BudgetMetric


class Cost(BudgetMetric):
    """Did the answer cost no more than its budget? No judge call.

    Attributes:
        budget_usd: the most US dollars that an answer may cost.
    """

    quantity, amount, names = "cost", "${:,.4f}", ("cost", "budget_usd")

    budget_usd: float
