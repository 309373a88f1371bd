"""Tokens: Did the answer take no more tokens than its budget? No judge.

    score = 1 where the sum of `input` and `output` in `metadata.tokens` of the test case is at most `budget`, else 0

The mean over test cases is the share within the budget: the 95th percentile is within it where 95 % of the cases pass.
Source: own definition.
"""

from ragstone.metrics.shared.budgets import BudgetMetric


class Tokens(BudgetMetric):
    """Did the answer take no more tokens than its budget? No judge call.

    Attributes:
        budget: the most tokens, sent and received, that an answer may take.
    """

    quantity, amount, names = "tokens", "{:,.0f} tokens", ("tokens", "budget")

    budget: float
