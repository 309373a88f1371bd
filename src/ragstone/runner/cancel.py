"""Give up what a stopped run has with a vendor: nothing more of its batches is answered, nor to be paid for."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from ragstone.errors import BadOption
from ragstone.providers import get_provider
from ragstone.providers.batches.api import BatchApi
from ragstone.providers.batches.client import BatchApiClient, BatchApiError
from ragstone.providers.batches.log import BatchLog, BatchLogEntry
from ragstone.providers.http.transport import Endpoint, Transport, open_transport


class Cancelled(NamedTuple):
    """A batch that was under way.

    Attributes:
        batch: the vendor's name for it.
        answered: requests that were answered before, as far as the vendor tells.
        total: all of them.
    """

    batch: str
    answered: int
    total: int


async def cancel(batch_log: BatchLog) -> list[Cancelled]:
    """Cancel all that is under way of a run, and return it.

    Raises:
        UsageError: there is no key for the vendor, or its address is another than when the run was begun.
        ProviderError: the vendor does not heed.
    """
    found: list[Cancelled] = []
    places = list(_places(batch_log))
    async with open_transport() as transport:
        for entry, place in places:
            try:
                found += await _cancel(entry, place, transport)
            except BatchApiError as error:
                raise error.fault.error() from None
    return found


def _places(batch_log: BatchLog) -> Iterator[tuple[BatchLogEntry, Endpoint]]:
    """Yield the batches whose names are known, with where their vendor is asked."""
    for entry in batch_log.entries():
        if entry.batch is None:
            continue
        provider: Any = get_provider(f"{entry.vendor}:{entry.model}")
        place: Endpoint = provider.place
        if place.url != entry.where:
            raise BadOption(
                f"{entry.batch} is at {entry.where}, and {entry.vendor} would now be asked at {place.url}: set "
                f"{entry.vendor.upper()}_BASE_URL as it was."
            )
        yield entry, place


async def _cancel(entry: BatchLogEntry, place: Endpoint, transport: Transport) -> list[Cancelled]:
    vendor: BatchApi | None = place.batches
    if vendor is None or entry.batch is None:
        return []
    client = BatchApiClient(transport, place, vendor.base)
    standing = await vendor.look(client, entry.batch)
    if standing.ended:
        return []
    await vendor.cancel(client, entry.batch)
    return [Cancelled(entry.batch, standing.answered, standing.total or len(entry.keys))]
