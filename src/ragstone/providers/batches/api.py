"""What a batch is, in no vendor's words: its requests by key, how far it is, what became of each request."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from ragstone.providers.batches.client import BatchApiClient
from ragstone.providers.http.failures import AttemptFailure


class Unanswered(Enum):
    """Why a request came back without an answer, though nothing is wrong with it."""

    EXPIRED = "was not answered before the batch expired"
    CANCELLED = "was not answered: the batch was cancelled"
    MISSING = "is missing in what the batch brought back"


Outcome = bytes | AttemptFailure | Unanswered
"""What became of one request: the body of its answer, or why there is none."""


@dataclass(frozen=True, slots=True)
class BatchLabel:
    """What tells a batch from others where its submission is in doubt.

    Attributes:
        run: the run that submits it.
        number: which of the run's batches it is, from 1.
        keys: of its requests.
        since: when it was about to be submitted, in seconds since 1970.
        known: batches that are accounted for.
    """

    run: str
    number: int
    keys: Collection[str]
    since: float
    known: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class BatchStatus:
    """How far a batch is.

    Attributes:
        id: the vendor's name for it.
        total: how many requests it holds.
        answered: how many are done with, as far as the vendor tells before the end.
        ended: whether nothing more will come.
        results: where its results stand, below the base URL.
        refused: why the vendor took none of it.
        too_much: whether it was refused because too much is in the vendor's queue: less may be taken.
    """

    id: str
    total: int
    answered: int = 0
    ended: bool = False
    results: tuple[str, ...] = ()
    refused: AttemptFailure | None = None
    too_much: bool = False


class BatchApi(Protocol):
    """How a vendor takes batches.

    Attributes:
        base: the base URL.
        max_requests: how many requests a batch may hold.
        max_bytes: how many bytes it may have.
    """

    @property
    def base(self) -> str: ...
    @property
    def max_requests(self) -> int: ...
    @property
    def max_bytes(self) -> int: ...

    def line(self, key: str, body: bytes) -> bytes:
        """Return a request as it stands in a batch; `body` is what would be posted alone."""
        ...

    async def submit(self, client: BatchApiClient, lines: Sequence[bytes], label: BatchLabel) -> BatchStatus:
        """Submit a batch.

        Raises:
            Mishap: it was refused, or its fate is unknown.
        """
        ...

    async def poll(self, client: BatchApiClient, batch: str) -> BatchStatus:
        """Return how far a batch is.

        Raises:
            Mishap: the vendor does not tell.
        """
        ...

    async def results(self, client: BatchApiClient, status: BatchStatus) -> Iterable[tuple[str, Outcome]]:
        """Return what became of the requests of a batch that has ended, by key, in any order.

        Raises:
            Mishap: they cannot be fetched.
        """
        ...

    async def cancel(self, client: BatchApiClient, batch: str) -> None:
        """Ask the vendor to answer no more of a batch. What was answered before can be fetched, and is to be paid for.

        Raises:
            Mishap: the vendor does not.
        """
        ...

    async def find(self, client: BatchApiClient, label: BatchLabel) -> BatchStatus | None:
        """Return the batch that was submitted with this label, though its name was not received; None: there is none.

        Raises:
            Mishap: the vendor does not tell.
        """
        ...
