"""Latency: Did the application answer within its time budget? No judge.

    score = 1 where `metadata.latency_ms` of the test case is at most `budget_ms`, else 0

The mean over test cases is the share within the budget: the 95th percentile is within it where 95 % of the cases pass.
Source: own definition.
"""

from ragstone.metrics.shared.budgets import BudgetMetric


class Latency(BudgetMetric):
    """Did the application answer within its time budget? No judge call.

    Attributes:
        budget_ms: the most milliseconds that an answer may take.
    """

    quantity, amount, names = "latency", "{:,.1f} ms", ("latency_ms", "budget_ms")

    budget_ms: float
