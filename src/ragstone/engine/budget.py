"""The budget of a run. Money reserved for calls in flight counts as spent, so concurrent calls cannot exceed it."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from ragstone.errors import BadOption, BudgetExceeded
from ragstone.judges.base import Judge
from ragstone.providers.batches.activity import idle

_COST_MARGIN = 1.1
"""Factor on the cost that the dearest call so far predicts, since the next calls may be longer."""


@dataclass(frozen=True, slots=True)
class Reservation:
    """Money reserved for one call, in US dollars: the estimate of its cost, and the reserved amount."""

    estimate: float
    amount: float


NOTHING_RESERVED = Reservation(0.0, 0.0)


class Budget:
    """US dollars that may be spent; no bound by default. Belongs to one run and one event loop.

    A call is admitted while the money spent, the money reserved for calls in flight and its own likely cost stay within
    the budget. The likely cost is its estimate, corrected by how far the estimate of any call so far was too low, and
    a margin. A call that does not fit waits until those in flight are settled: they may cost less than reserved.
    """

    def __init__(self, most: float | None = None, *, spent: float = 0.0) -> None:
        """Allow `most` US dollars, of which `spent` are already spent."""
        self.most = most
        self.spent = spent
        self._reserved = 0.0
        self._in_flight = 0
        self._dearest = 0.0
        self._worst_ratio = 0.0
        self._unpriced = False
        self._waiters: list[asyncio.Future[None]] = []

    async def reserve(self, estimate: Callable[[], float]) -> Reservation:
        """Reserve the likely cost of one more call; `estimate` is called again whenever the call had to wait.

        Raises:
            BudgetExceeded: no money is left for it, or a reply came without a price.
        """
        if self.most is None:
            return NOTHING_RESERVED
        while True:
            estimated = estimate()
            likely_cost = self._likely_cost(estimated)
            if (
                not self._unpriced
                and self.spent + self._reserved + likely_cost <= self.most
                and self.spent < self.most
            ):
                self._reserved += likely_cost
                self._in_flight += 1
                return Reservation(estimated, likely_cost)
            if not self._in_flight or self._unpriced:
                raise self._exhausted_error(likely_cost)
            waiter = asyncio.get_running_loop().create_future()
            self._waiters.append(waiter)
            with idle():
                await waiter

    def settle(self, reserved: Reservation, cost: float | None) -> None:
        """Replace a reservation by the actual cost of the call, None where it is not known."""
        if self.most is None:
            return
        self._reserved -= reserved.amount
        self._in_flight -= 1
        self._unpriced = self._unpriced or cost is None
        self.spent += cost or 0.0
        self._dearest = max(self._dearest, cost or 0.0)
        if reserved.estimate:
            self._worst_ratio = max(self._worst_ratio, (cost or 0.0) / reserved.estimate)
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    def _likely_cost(self, estimate: float) -> float:
        """Return an estimate corrected by the calls so far; without an estimate, the cost of the dearest call."""
        if not estimate:
            return _COST_MARGIN * self._dearest
        return _COST_MARGIN * estimate * self._worst_ratio if self._worst_ratio else estimate

    def _exhausted_error(self, likely_cost: float) -> BudgetExceeded:
        if self._unpriced:
            return BudgetExceeded(
                "The judge does not report the cost of its answers, so max_cost cannot be enforced. Give it prices."
            )
        return BudgetExceeded(
            f"${self.spent:.4f} of max_cost=${self.most:g} are spent, and another call is likely to cost "
            f"${likely_cost:.4f}: resume the run with a higher max_cost."
        )


def refuse_unpriced(judge: Judge, most: float | None) -> None:
    """Refuse a budget for a judge whose prices are not known, before anything is asked.

    Raises:
        BadOption: the budget could not be kept.
    """
    if most is not None and not judge.has_prices:
        raise BadOption(
            f"max_cost={most:g} cannot be enforced: no price is known for {judge.name}. Give the judge prices: "
            "LLMJudge(provider=…, prices={'my-model': (0.5, 0.1, 1.5)})."
        )
