"""Requests on their way: each with whoever waits for its answer, and those that wait for one batch together."""

import asyncio
from dataclasses import dataclass, field

from ragstone.providers._fault import Fault, Kind
from ragstone.providers.batches._batch import Outcome, Undone, Vendor

_MOST_TRIES = 3
"""Batches that a request may travel in."""

_MARGIN = 4096
"""Bytes of a batch that are no request: the form's head, the list's brackets."""


@dataclass(slots=True, eq=False)
class Item:
    """A request on its way.

    Attributes:
        key: a hash over all that was asked.
        line: the request as it stands in a batch.
        answer: what whoever asked waits for.
        tries: batches that it travelled in.
    """

    key: str
    line: bytes
    answer: "asyncio.Future[bytes | Fault]"
    tries: int = 0

    def settle(self, outcome: Outcome, where: str, *, cancelled_again: bool) -> bool:
        """Hand out what became of this in a batch; False where it is to travel once more instead."""
        self.tries += 1
        if isinstance(outcome, Undone):
            again = cancelled_again or outcome is not Undone.CANCELLED
            outcome = Fault(Kind.ANSWERED, f"{where}: a request {outcome.value}", again=again)
        if isinstance(outcome, Fault) and outcome.again and self.tries < _MOST_TRIES:
            return False
        self.give(outcome)
        return True

    def give(self, answer: bytes | Fault) -> None:
        """Hand out the answer; whoever asked may have left."""
        if not self.answer.done():
            self.answer.set_result(answer)

    def fail(self, error: Exception) -> None:
        """Tell that no answer will come."""
        if not self.answer.done():
            self.answer.set_exception(error)


@dataclass(slots=True, eq=False)
class Stack:
    """Requests to one model that wait for their batch, or for one of an earlier process.

    Attributes:
        vendor: takes the batches.
        items: wait for the next batch.
        bytes: how large that would be.
        earlier: wait for batches of an earlier process, by their numbers.
    """

    vendor: Vendor
    items: list[Item] = field(default_factory=list[Item])
    bytes: int = 0
    earlier: dict[int, list[Item]] = field(default_factory=dict[int, list[Item]])

    def has_room(self, item: Item) -> bool:
        """Tell whether one more fits into the batch."""
        within = self.bytes + len(item.line) + 1 <= self.vendor.most_bytes - _MARGIN
        return within and len(self.items) < self.vendor.most_requests

    def add(self, item: Item) -> None:
        """Let it wait for the next batch."""
        self.items.append(item)
        self.bytes += len(item.line) + 1

    def take(self) -> list[Item]:
        """Return all that waits, for a batch."""
        items, self.items, self.bytes = self.items, [], 0
        return items
