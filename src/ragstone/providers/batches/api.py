"""The vendor-neutral side of a batch API: labels, status, outcomes, calls, and the protocol each vendor implements."""

import io
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol, TypeVar, cast
from urllib.parse import urlencode

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from ragstone.providers.http.address import join
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
CLOCK_SKEW_SECONDS = 3600.0
"""Seconds by which the vendor's clock may differ from the local one."""

PAGE_SIZE = 100
"""Batches in one page of a list."""


@dataclass(frozen=True, slots=True)
class BatchLabel:
    """Identifies a batch when it is unknown whether its submission succeeded.

    `number` counts the batches of the run from 1, `since` is the time of the submission in seconds since 1970, and
    `known` are the ids of batches that are already recorded.
    """

    run: str
    number: int
    keys: Collection[str]
    since: float
    known: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class BatchStatus:
    """Status of a batch.

    `answered` requests are finished, as far as the vendor reports it before the end. `results` are paths below the base
    URL. `refused` is why the vendor rejected the whole batch; with `too_much`, a smaller one may be accepted.
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
        super().__init__(failure.message)
        self.failure = failure


@dataclass(frozen=True, slots=True)
class BatchClient:
    """Calls one vendor's batch API.

    `call` takes method, URL, body, media type, and whether the call is not to be repeated if it may have arrived; it
    raises a `BatchApiError`. `interval` is the most seconds between two polls.
    """

    base: str
    provider: str
    model: str
    secrets: tuple[str, ...]
    interval: float
    call: Callable[[str, str, bytes, str, bool], Awaitable[bytes]]

    def about(self, batch: str) -> str:
        """Return how messages refer to a batch."""
        return f"{self.provider}: {self.model} in batch {batch}"

    async def get(self, path: str, query: Mapping[str, str | int] | None = None) -> bytes:
        """Return the body of the response to a GET request."""
        url = join(self.base, path)
        if query:
            url += f"{'&' if '?' in url else '?'}{urlencode(query)}"
        return await self.call("GET", url, b"", JSON, False)

    async def post(self, path: str, body: bytes = b"", *, kind: str = JSON, once: bool = False) -> bytes:
        """Return the body of the response to a POST request; with `once` it is not repeated if it may have arrived."""
        return await self.call("POST", join(self.base, path), body, kind, once)

    async def read(self, kind: type[M], body: Awaitable[bytes], vendor: str) -> M:
        """Return the body of a response as a value of the `vendor` whose API the server should speak."""
        content = await body
        try:
            return kind.model_validate_json(content)
        except ValidationError as error:
            text = clean(content[:400].decode("utf-8", "replace"), self.secrets)
            message = f"{self.provider}: {self.base} does not respond like {vendor}'s batch API: {text!r}"
            raise BatchApiError(AttemptFailure(FailureKind.ANSWERED, message, again=False)) from error


class BatchApi(Protocol):
    """A vendor's batch API. A call that fails raises a `BatchApiError`."""

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
        """Submit a batch."""
        ...

    async def poll(self, client: BatchClient, batch: str) -> BatchStatus:
        """Return the status of a batch."""
        ...

    async def results(self, client: BatchClient, status: BatchStatus) -> Iterable[tuple[str, Outcome]]:
        """Return the results of a batch that has ended, by key, in any order."""
        ...

    async def cancel(self, client: BatchClient, batch: str) -> None:
        """Cancel a batch. What was answered before can be fetched and is charged."""
        ...

    async def find(self, client: BatchClient, label: BatchLabel) -> BatchStatus | None:
        """Return the batch that was submitted with this label although its id was never received; None if none was."""
        ...


def read_entries(file: bytes) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the lines of a file of results with their keys; what has no key counts as missing."""
    for line in io.BytesIO(file):
        try:
            entry: Any = from_json(line)
            key = entry["custom_id"]
        except (ValueError, KeyError, TypeError):
            continue
        yield key, cast("dict[str, Any]", entry)
