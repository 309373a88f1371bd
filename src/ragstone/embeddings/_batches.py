"""Base of embedders that call a server: texts are sent in batches, a few at once; rows keep the order of the texts."""

import asyncio
from abc import abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from ragstone.embeddings.base import unit_rows
from ragstone.errors import ProviderError
from ragstone.providers.http.endpoint import Endpoint
from ragstone.providers.wire.http_provider import HttpModel
from ragstone.providers.wire.parameter_support import post_negotiated

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BATCH = 128
_MAX_CONCURRENT_BATCHES = 4

_MAX_REPLY_BYTES = 64 * 2**20
"""Most bytes of a response; 128 vectors of 4096 numbers with 20 digits are 11 MB."""

Rows = Sequence[Sequence[float]]
Fetch = Callable[[Sequence[str]], Awaitable[Rows]]


@dataclass(frozen=True, kw_only=True, repr=False)
class HttpEmbedder(HttpModel):
    """Base of embedders that call a server: a vendor's subclass defines `encode`, `decode` and the endpoint."""

    vendor: ClassVar[str]

    def __post_init__(self) -> None:
        """Find the endpoint, so that its errors are raised here and not at the first call."""
        _ = self._endpoint

    @property
    def name(self) -> str:
        """The spec."""
        return f"{self.vendor}:{self.model}"

    async def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Return one row per text: shape (texts, dimensions), rows of length 1, zeros for a blank text.

        Raises:
            ProviderError: the server refused or failed.
            TimedOut: no response in time.
        """
        return await embed_in_batches(texts, self._fetch, self.name)

    @abstractmethod
    def encode(self, texts: Sequence[str], unsupported: frozenset[str] = frozenset()) -> dict[str, Any]:
        """Return the body of the request without the unsupported parameters."""

    @abstractmethod
    def decode(self, body: bytes) -> Rows:
        """Return the vectors in the order of the texts.

        Raises:
            ProviderError: the response is not a list of embeddings.
        """

    @cached_property
    def _endpoint(self) -> Endpoint:
        return replace(self._find_endpoint(), max_reply=_MAX_REPLY_BYTES)

    async def _fetch(self, texts: Sequence[str]) -> Rows:
        body = await post_negotiated(
            self._endpoint, lambda unsupported: self.encode(texts, unsupported), self.optional_parameters
        )
        return self.decode(body)


async def embed_in_batches(texts: Sequence[str], fetch: Fetch, name: str) -> "NDArray[np.float32]":
    """Return one row of length 1 per text; a blank text gets zeros and is not sent, as servers reject it.

    `fetch` returns the vectors of at most `BATCH` texts; `name` is the embedder's, for messages.

    Raises:
        ProviderError: the server failed, or returned another number of vectors than of texts.
    """
    import numpy as np  # noqa: PLC0415  (naming an embedder does not load it)

    positions = [position for position, text in enumerate(texts) if text.strip()]
    batches = [positions[begin : begin + BATCH] for begin in range(0, len(positions), BATCH)]
    fetched = await _gather(batches, lambda batch: fetch([texts[position] for position in batch]))
    widths = {len(row) for rows in fetched for row in rows}
    if len(widths) > 1 or any(len(rows) != len(batch) for rows, batch in zip(fetched, batches, strict=True)):
        raise ProviderError(f"{name}: the server did not return one vector per text, all of equal length")
    result = np.zeros((len(texts), widths.pop() if widths else 0), np.float32)
    for rows, batch in zip(fetched, batches, strict=True):
        result[batch] = np.asarray(rows, np.float32)
    return unit_rows(result)


async def _gather(batches: Sequence[list[int]], fetch: Callable[[list[int]], Awaitable[Rows]]) -> list[Rows]:
    semaphore = asyncio.Semaphore(_MAX_CONCURRENT_BATCHES)

    async def fetch_batch(batch: list[int]) -> Rows:
        async with semaphore:
            return await fetch(batch)

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(fetch_batch(batch)) for batch in batches]
    except ExceptionGroup as failures:
        raise failures.exceptions[0] from None
    return [task.result() for task in tasks]
