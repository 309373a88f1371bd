"""The vendor-neutral side of a batch API: labels, status, outcomes, and the protocol each vendor implements."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from ragstone.providers.http.failures import AttemptFailure, FailureKind, clean

M = TypeVar("M", bound=BaseModel)


class Unanswered(Enum):
    """Why a valid request came back without an answer."""

    EXPIRED = "was not answered before the batch expired"
    CANCELLED = "was not answered: the batch was cancelled"
    MISSING = "is missing from the results of the batch"


Outcome = bytes | AttemptFailure | Unanswered
"""The result of one request: the body of its response, or why there is none."""

JSON = "application/json"


@dataclass(frozen=True, slots=True)
class BatchLabel:
    """Identifies a batch when it is unknown whether its submission succeeded.

    Attributes:
        run: id of the run that submits it.
        number: number of the batch within the run, from 1.
        keys: keys of its requests.
        since: time of the submission, in seconds since 1970.
        known: ids of batches that are already recorded.
    """

    run: str
    number: int
    keys: Collection[str]
    since: float
    known: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class BatchStatus:
    """Status of a batch.

    Attributes:
        id: the vendor's id of the batch.
        total: number of requests.
        answered: number of finished requests, as far as the vendor reports it before the end.
        ended: whether processing has ended.
        results: paths of the result files, below the base URL.
        refused: why the vendor rejected the whole batch.
        too_much: whether it was rejected because the vendor's queue is full; a smaller batch may be accepted.
    """

    id: str
    total: int
    answered: int = 0
    ended: bool = False
    results: tuple[str, ...] = ()
    refused: AttemptFailure | None = None
    too_much: bool = False


class BatchApiError(Exception):
    """A call to the batch API that failed, retries included."""

    def __init__(self, failure: AttemptFailure) -> None:
        """Carry the failure of the last attempt."""
        super().__init__(failure.message)
        self.failure = failure


class BatchClient(Protocol):
    """What a vendor's `BatchApi` needs to make calls."""

    @property
    def base(self) -> str:
        """The base URL."""
        ...

    @property
    def provider(self) -> str:
        """The vendor."""
        ...

    @property
    def secrets(self) -> tuple[str, ...]:
        """Texts that no message may show."""
        ...

    @property
    def interval(self) -> float:
        """Most seconds between two polls."""
        ...

    def about(self, batch: str) -> str:
        """Return how messages refer to a batch."""
        ...

    async def get(self, path: str, query: Mapping[str, str | int] | None = None) -> bytes:
        """Return the body of the response to a GET request.

        Raises:
            BatchApiError: it failed.
        """
        ...

    async def post(self, path: str, body: bytes = b"", *, kind: str = JSON, once: bool = False) -> bytes:
        """Return the body of the response to a POST request; with `once` it is not repeated if it may have arrived.

        Raises:
            BatchApiError: it failed.
        """
        ...


class BatchApi(Protocol):
    """A vendor's batch API."""

    @property
    def base(self) -> str:
        """The base URL."""
        ...

    @property
    def max_requests(self) -> int:
        """Most requests in a batch."""
        ...

    @property
    def max_bytes(self) -> int:
        """Most bytes in a batch."""
        ...

    def line(self, key: str, body: bytes) -> bytes:
        """Return a request in the batch's format; `body` is what a single POST would send."""
        ...

    async def submit(self, client: BatchClient, lines: Sequence[bytes], label: BatchLabel) -> BatchStatus:
        """Submit a batch.

        Raises:
            BatchApiError: it was rejected, or it is unknown whether it arrived.
        """
        ...

    async def poll(self, client: BatchClient, batch: str) -> BatchStatus:
        """Return the status of a batch.

        Raises:
            BatchApiError: the call failed.
        """
        ...

    async def results(self, client: BatchClient, status: BatchStatus) -> Iterable[tuple[str, Outcome]]:
        """Return the results of a batch that has ended, by key, in any order.

        Raises:
            BatchApiError: they cannot be fetched.
        """
        ...

    async def cancel(self, client: BatchClient, batch: str) -> None:
        """Cancel a batch. What was answered before can be fetched and is charged.

        Raises:
            BatchApiError: the call failed.
        """
        ...

    async def find(self, client: BatchClient, label: BatchLabel) -> BatchStatus | None:
        """Return the batch that was submitted with this label although its id was never received; None if none was.

        Raises:
            BatchApiError: the call failed.
        """
        ...


def read_batch_response(kind: type[M], body: bytes, client: BatchClient, vendor: str) -> M:
    """Return the body of a response of a batch API as the vendor's value.

    Args:
        kind: the vendor's value.
        body: the body, JSON.
        client: the client, for the message.
        vendor: whose API the server should speak, for the message.

    Raises:
        BatchApiError: the body is something else.
    """
    try:
        return kind.model_validate_json(body)
    except ValidationError as error:
        text = clean(body[:400].decode("utf-8", "replace"), client.secrets)
        message = f"{client.provider}: {client.base} does not respond like {vendor}'s batch API: {text!r}"
        raise BatchApiError(AttemptFailure(FailureKind.ANSWERED, message, again=False)) from error
