"""Metrics that compare a quantity of an answer with a budget."""

from typing import ClassVar

from ragstone.errors import BadOption
from ragstone.metrics.base.metric import Metric, MetricContext, Score, TestCase
from ragstone.metrics.shared.quantities import Quantity, is_number, known_quantity


class BudgetMetric(Metric):
    """Base of the metrics of a budget.

    Attributes:
        quantity: what is compared.
        amount: the format of an amount in the reason, such as `{:.0f} ms`.
        names: the metadata's name of the quantity, and the option that is the budget.
    """

    needs = ()
    quantity: ClassVar[Quantity]
    amount: ClassVar[str]
    names: ClassVar[tuple[str, str]]

    threshold: float = 1.0

    def __post_init__(self) -> None:
        """Reject a budget that is not above 0."""
        super().__post_init__()
        check_budget(self.title, self.names[1], getattr(self, self.names[1]))

    def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Read the quantity."""
        return self.score(known_quantity(case, self.quantity))

    def score(self, value: float) -> Score:
        """Compare with the budget. Pure."""
        return within_budget(value, getattr(self, self.names[1]), self.amount, self.names)


def within_budget(value: float, budget: float, amount: str, names: tuple[str, str]) -> Score:
    """Return 1 for a value up to a budget, else 0; see `BudgetMetric` for the arguments."""
    fits = value <= budget
    reason = f"{amount.format(value)}: {'within' if fits else 'over'} the budget of {amount.format(budget)}."
    return Score(float(fits), reason, {names[0]: value, names[1]: budget})


def check_budget(title: str, name: str, budget: float) -> None:
    """Reject a budget that is not a number above 0."""
    if not is_number(budget) or not budget > 0:
        raise BadOption(f"{title}: {name}={budget!r} is not a budget: write a number above 0")
