"""Requests that wait for a batch to be submitted or to end."""

import asyncio
from dataclasses import dataclass, field

from ragstone.providers.batches.api import BatchApi, Outcome, Unanswered
from ragstone.providers.http.failures import AttemptFailure, FailureKind

_MAX_SUBMISSIONS = 3
"""Most batches that one request is submitted in."""

_ENVELOPE_BYTES = 4096
"""Bytes of a batch that belong to no request: form header, list brackets."""


@dataclass(slots=True, eq=False)
class PendingRequest:
    """A request without an answer yet.

    Attributes:
        key: a hash over everything that was asked.
        line: the request in the batch's format.
        answer: future of the answer.
        tries: number of batches it was submitted in.
    """

    key: str
    line: bytes
    answer: "asyncio.Future[bytes | AttemptFailure]"
    tries: int = 0

    def resolve(self, outcome: Outcome, where: str, *, cancelled_again: bool) -> bool:
        """Set the answer from the batch's outcome; return False if the request is to be submitted again instead."""
        self.tries += 1
        if isinstance(outcome, Unanswered):
            again = cancelled_again or outcome is not Unanswered.CANCELLED
            outcome = AttemptFailure(FailureKind.ANSWERED, f"{where}: a request {outcome.value}", again=again)
        if isinstance(outcome, AttemptFailure) and outcome.again and self.tries < _MAX_SUBMISSIONS:
            return False
        self.give(outcome)
        return True

    def give(self, answer: bytes | AttemptFailure) -> None:
        """Set the answer, unless the caller was cancelled."""
        if not self.answer.done():
            self.answer.set_result(answer)

    def fail(self, error: Exception) -> None:
        """Raise `error` in the caller."""
        if not self.answer.done():
            self.answer.set_exception(error)


@dataclass(slots=True, eq=False)
class PendingBatch:
    """Requests to one model that are to be submitted, or were by an earlier process.

    Attributes:
        vendor: the vendor's batch API.
        items: requests for the next batch.
        bytes: size of that batch.
        earlier: requests in batches of an earlier process, by batch number.
    """

    vendor: BatchApi
    items: list[PendingRequest] = field(default_factory=list[PendingRequest])
    bytes: int = 0
    earlier: dict[int, list[PendingRequest]] = field(default_factory=dict[int, list[PendingRequest]])

    def has_room(self, item: PendingRequest) -> bool:
        """Return whether the request fits into the batch."""
        size_fits = self.bytes + len(item.line) + 1 <= self.vendor.max_bytes - _ENVELOPE_BYTES
        return size_fits and len(self.items) < self.vendor.max_requests

    def add(self, item: PendingRequest) -> None:
        """Add a request to the next batch."""
        self.items.append(item)
        self.bytes += len(item.line) + 1

    def take(self) -> list[PendingRequest]:
        """Remove and return the requests of the next batch."""
        items, self.items, self.bytes = self.items, [], 0
        return items
