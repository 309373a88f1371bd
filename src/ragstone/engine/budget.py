"""What a run may spend. Money in flight counts as spent, so that the budget is kept also by calls made at once."""

import asyncio
from collections.abc import Callable

from ragstone.errors import BudgetExceeded
from ragstone.providers.batches.activity import idle


class Budget:
    """US dollars that may be spent; all there are unless bounded. Belongs to one run and one event loop.

    A call is made while what was spent, what the calls in flight are likely to cost and what it is itself likely to
    cost stay within the budget: likely is the mean of the calls before, or a guess as long as there are none. One that
    does not fit waits until those in flight are paid for, since they may have been cheaper.
    """

    def __init__(self, most: float | None = None, *, spent: float = 0.0) -> None:
        """Allow `most` US dollars, `spent` of which are gone already."""
        self.most = most
        self.spent = spent
        self._reserved = 0.0
        self._flying = 0
        self._paid = 0.0
        self._calls = 0
        self._unpriced = False
        self._waiting: list[asyncio.Future[None]] = []

    async def reserve(self, guess: Callable[[], float]) -> float:
        """Set aside what one more call is likely to cost: a `guess`, until others have come back.

        Raises:
            BudgetExceeded: there is no money left for it, or a reply came without a price.
        """
        if self.most is None:
            return 0.0
        while True:
            likely = self._paid / self._calls if self._calls else guess()
            if (
                not self._unpriced
                and self.spent + self._reserved + likely <= self.most
                and self.spent < self.most
            ):
                self._reserved += likely
                self._flying += 1
                return likely
            if not self._flying or self._unpriced:
                raise self._used_up(likely)
            change = asyncio.get_running_loop().create_future()
            self._waiting.append(change)
            with idle():
                await change

    def settle(self, reserved: float, cost: float | None) -> None:
        """Replace what was set aside by what the call did cost; None where nobody knows."""
        if self.most is None:
            return
        self._reserved -= reserved
        self._flying -= 1
        self._unpriced = self._unpriced or cost is None
        self.spent += cost or 0.0
        self._paid += cost or 0.0
        self._calls += 1
        waiting, self._waiting = self._waiting, []
        for change in waiting:
            if not change.done():
                change.set_result(None)

    def _used_up(self, likely: float) -> BudgetExceeded:
        if self._unpriced:
            return BudgetExceeded(
                "The judge does not tell what its answers cost, so max_cost cannot be kept: give it prices."
            )
        return BudgetExceeded(
            f"${self.spent:.4f} of max_cost=${self.most:g} are spent, and another call is likely to cost "
            f"${likely:.4f}: resume the run with a higher max_cost."
        )
