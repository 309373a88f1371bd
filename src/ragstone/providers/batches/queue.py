"""Requests on their way: each with whoever waits for its answer, and those that wait for one batch together."""

import asyncio
from dataclasses import dataclass, field

from ragstone.providers.batches.api import BatchApi, Outcome, Unanswered
from ragstone.providers.http.failures import AttemptFailure, FailureKind

_MAX_SUBMISSIONS = 3
"""Batches that a request may travel in."""

_ENVELOPE_BYTES = 4096
"""Bytes of a batch that are no request: the form's head, the list's brackets."""


@dataclass(slots=True, eq=False)
class PendingRequest:
    """A request on its way.

    Attributes:
        key: a hash over all that was asked.
        line: the request as it stands in a batch.
        answer: what whoever asked waits for.
        tries: batches that it travelled in.
    """

    key: str
    line: bytes
    answer: "asyncio.Future[bytes | AttemptFailure]"
    tries: int = 0

    def resolve(self, outcome: Outcome, where: str, *, cancelled_again: bool) -> bool:
        """Hand out what became of this in a batch; False where it is to travel once more instead."""
        self.tries += 1
        if isinstance(outcome, Unanswered):
            again = cancelled_again or outcome is not Unanswered.CANCELLED
            outcome = AttemptFailure(FailureKind.ANSWERED, f"{where}: a request {outcome.value}", again=again)
        if isinstance(outcome, AttemptFailure) and outcome.again and self.tries < _MAX_SUBMISSIONS:
            return False
        self.give(outcome)
        return True

    def give(self, answer: bytes | AttemptFailure) -> None:
        """Hand out the answer; whoever asked may have left."""
        if not self.answer.done():
            self.answer.set_result(answer)

    def fail(self, error: Exception) -> None:
        """Tell that no answer will come."""
        if not self.answer.done():
            self.answer.set_exception(error)


@dataclass(slots=True, eq=False)
class PendingBatch:
    """Requests to one model that wait for their batch, or for one of an earlier process.

    Attributes:
        vendor: takes the batches.
        items: wait for the next batch.
        bytes: how large that would be.
        earlier: wait for batches of an earlier process, by their numbers.
    """

    vendor: BatchApi
    items: list[PendingRequest] = field(default_factory=list[PendingRequest])
    bytes: int = 0
    earlier: dict[int, list[PendingRequest]] = field(default_factory=dict[int, list[PendingRequest]])

    def has_room(self, item: PendingRequest) -> bool:
        """Tell whether one more fits into the batch."""
        within = self.bytes + len(item.line) + 1 <= self.vendor.max_bytes - _ENVELOPE_BYTES
        return within and len(self.items) < self.vendor.max_requests

    def add(self, item: PendingRequest) -> None:
        """Let it wait for the next batch."""
        self.items.append(item)
        self.bytes += len(item.line) + 1

    def take(self) -> list[PendingRequest]:
        """Return all that waits, for a batch."""
        items, self.items, self.bytes = self.items, [], 0
        return items
