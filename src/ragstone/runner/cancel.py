"""Cancel the batches that a stopped run still has with a vendor, so that nothing more is answered or billed."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from ragstone.errors import BadOption
from ragstone.providers import get_provider
from ragstone.providers.batches.api import BatchApi, BatchApiError
from ragstone.providers.batches.client import batch_client
from ragstone.providers.batches.log import BatchLog, BatchLogEntry
from ragstone.providers.http.endpoint import Endpoint
from ragstone.providers.http.transport import Transport, open_transport


class Cancelled(NamedTuple):
    """A batch that was in progress.

    Attributes:
        batch: the vendor's id of it.
        answered: requests that were answered before, as reported by the vendor.
        total: all requests of the batch.
    """

    batch: str
    answered: int
    total: int


async def cancel(batch_log: BatchLog) -> list[Cancelled]:
    """Cancel every batch of a run that is in progress, and return them.

    Raises:
        UsageError: there is no key for the vendor, or its address has changed since the run began.
        ProviderError: the vendor does not cancel.
    """
    cancelled: list[Cancelled] = []
    endpoints = list(_endpoints(batch_log))
    async with open_transport() as transport:
        for entry, endpoint in endpoints:
            try:
                cancelled += await _cancel_batch(entry, endpoint, transport)
            except BatchApiError as error:
                raise error.failure.error() from None
    return cancelled


def _endpoints(batch_log: BatchLog) -> Iterator[tuple[BatchLogEntry, Endpoint]]:
    """Yield the batches whose ids are known, with the endpoint of their vendor."""
    for entry in batch_log.entries():
        if entry.batch is None:
            continue
        provider: Any = get_provider(f"{entry.vendor}:{entry.model}")
        endpoint: Endpoint = provider.batch_endpoint
        if endpoint.url != entry.where:
            raise BadOption(
                f"{entry.batch} was submitted to {entry.where}, but {entry.vendor} is now set to {endpoint.url}: set "
                f"{entry.vendor.upper()}_BASE_URL to its earlier value."
            )
        yield entry, endpoint


async def _cancel_batch(entry: BatchLogEntry, endpoint: Endpoint, transport: Transport) -> list[Cancelled]:
    vendor: BatchApi | None = endpoint.batches
    if vendor is None or entry.batch is None:
        return []
    client = batch_client(transport, endpoint, vendor)
    status = await vendor.poll(client, entry.batch)
    if status.ended:
        return []
    await vendor.cancel(client, entry.batch)
    return [Cancelled(entry.batch, status.answered, status.total or len(entry.keys))]
