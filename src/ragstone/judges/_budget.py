"""What a run may spend. Money in flight counts as spent, so that the budget is kept also by calls made at once."""

from collections.abc import Callable

from ragstone.errors import BudgetSpent


class Budget:
    """US dollars that may be spent; all there are unless bounded. Belongs to one run.

    A call is admitted while what was spent, what the calls in flight are likely to cost and what it is itself likely to
    cost stay within the budget: likely is the mean of the calls before, or a guess as long as there are none.
    """

    def __init__(self, most: float | None = None, *, spent: float = 0.0) -> None:
        """Allow `most` US dollars, `spent` of which are gone already."""
        self.most = most
        self.spent = spent
        self._reserved = 0.0
        self._calls = 0
        self._settled = 0.0
        self._unpriced = False

    def reserve(self, guess: Callable[[], float]) -> float:
        """Set aside what one more call is likely to cost: a `guess`, until others have come back.

        Raises:
            BudgetSpent: there is no money left for it, or a reply came without a price.
        """
        if self.most is None:
            return 0.0
        if self._unpriced:
            raise BudgetSpent(
                "The judge does not tell what its answers cost, so max_cost cannot be kept: give it prices."
            )
        likely = self._settled / self._calls if self._calls else guess()
        if self.spent + self._reserved + likely > self.most or self.spent >= self.most:
            raise BudgetSpent(
                f"${self.spent:.4f} of max_cost=${self.most:g} are spent, and another call is likely to cost "
                f"${likely:.4f}: resume the run with a higher max_cost."
            )
        self._reserved += likely
        return likely

    def settle(self, reserved: float, cost: float | None) -> None:
        """Replace what was set aside by what the call did cost; None where nobody knows."""
        if self.most is None:
            return
        self._reserved -= reserved
        self._unpriced = self._unpriced or cost is None
        self.spent += cost or 0.0
        self._settled += cost or 0.0
        self._calls += 1
