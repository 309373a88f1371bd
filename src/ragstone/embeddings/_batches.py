"""Many texts through a server that takes some at a time: batches in flight, rows in the order given."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from ragstone.embeddings._unit_rows import unit_rows
from ragstone.errors import ProviderError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BATCH = 128
_IN_FLIGHT = 4

Rows = Sequence[Sequence[float]]
Fetch = Callable[[Sequence[str]], Awaitable[Rows]]


async def embed_in_batches(texts: Sequence[str], fetch: Fetch, name: str) -> "NDArray[np.float32]":
    """Return one row of length 1 a text; a blank text gets zeros and is not sent, since servers turn it down.

    Args:
        texts: what to embed.
        fetch: asks the server for the vectors of at most `BATCH` texts.
        name: the embedder, for messages.

    Raises:
        ProviderError: the server failed, or gave another number of vectors than of texts.
    """
    import numpy as np  # noqa: PLC0415  (naming an embedder does not load it)

    places = [place for place, text in enumerate(texts) if text.strip()]
    batches = [places[begin : begin + BATCH] for begin in range(0, len(places), BATCH)]
    fetched = await _gather(batches, lambda batch: fetch([texts[place] for place in batch]))
    widths = {len(row) for rows in fetched for row in rows}
    if len(widths) > 1 or any(len(rows) != len(batch) for rows, batch in zip(fetched, batches, strict=True)):
        raise ProviderError(
            f"{name}: the server gave other vectors than one for each text, all of one length"
        )
    result = np.zeros((len(texts), widths.pop() if widths else 0), np.float32)
    for rows, batch in zip(fetched, batches, strict=True):
        result[batch] = np.asarray(rows, np.float32)
    return unit_rows(result)


async def _gather(batches: Sequence[list[int]], fetch: Callable[[list[int]], Awaitable[Rows]]) -> list[Rows]:
    """Fetch a few batches at a time; the first failure ends the others."""
    gate = asyncio.Semaphore(_IN_FLIGHT)

    async def one(batch: list[int]) -> Rows:
        async with gate:
            return await fetch(batch)

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(batch)) for batch in batches]
    except ExceptionGroup as failures:
        raise failures.exceptions[0] from None
    return [task.result() for task in tasks]
