"""Anthropic's Message Batches API: one call carries all requests; results are fetched as JSON lines.

The API stores no label with a batch and returns the keys of its requests only after the batch has ended. Format:
https://docs.anthropic.com/en/api/creating-message-batches.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast

from pydantic import BaseModel
from pydantic_core import to_json

from ragstone.providers.batches.api import (
    CLOCK_SKEW_SECONDS,
    PAGE_SIZE,
    BatchClient,
    BatchLabel,
    BatchStatus,
    Outcome,
    Unanswered,
    read_entries,
)
from ragstone.providers.http.failures import ERROR_STATUSES, clean, failure_from_status

_VENDOR = "Anthropic"

_PATH = "v1/messages/batches"
_UNANSWERED_TYPES = {"expired": Unanswered.EXPIRED, "canceled": Unanswered.CANCELLED}


@dataclass(frozen=True, slots=True)
class AnthropicBatches:
    """Batches at Anthropic; `base` is the URL below which `/v1/messages` is."""

    base: str
    max_requests: int = 100_000
    max_bytes: int = 256_000_000

    def line(self, key: str, body: bytes) -> bytes:
        """Return a request as an element of `requests`."""
        return b'{"custom_id":"%s","params":%s}' % (key.encode(), body)

    async def submit(self, client: BatchClient, lines: Sequence[bytes], label: BatchLabel) -> BatchStatus:
        """Create a batch in one call, which must not be repeated."""
        del label
        body = b'{"requests":[%s]}' % b",".join(lines)
        return _status(await client.read(_MessageBatch, client.post(_PATH, body, once=True), _VENDOR))

    async def poll(self, client: BatchClient, batch: str) -> BatchStatus:
        """Return the status of a batch."""
        return _status(await client.read(_MessageBatch, client.get(f"{_PATH}/{batch}"), _VENDOR))

    async def results(self, client: BatchClient, status: BatchStatus) -> Iterable[tuple[str, Outcome]]:
        """Return the results. `results_url` is not used: the key must not go to an address that a server names."""
        file = await client.get(status.results[0]) if status.results else b""
        where = client.about(status.id)
        return ((key, _outcome(entry, where, client.secrets)) for key, entry in read_entries(file))

    async def cancel(self, client: BatchClient, batch: str) -> None:
        """Cancel a batch."""
        await client.post(f"{_PATH}/{batch}/cancel")

    async def find(self, client: BatchClient, label: BatchLabel) -> BatchStatus | None:
        """Return the batch with these requests: of the right size, created since then, with one of the keys."""
        async for batch in self._batches_since(client, label.since - CLOCK_SKEW_SECONDS):
            status = _status(batch)
            if status.id in label.known or status.total != len(label.keys):
                continue
            while not status.ended:
                await asyncio.sleep(client.interval)
                status = await self.poll(client, status.id)
            key = next((key for key, _ in await self.results(client, status)), None)
            if key in label.keys:
                return status
        return None

    async def _batches_since(self, client: BatchClient, since: float) -> AsyncIterator["_MessageBatch"]:
        query: dict[str, str | int] = {"limit": PAGE_SIZE}
        while True:
            page = await client.read(_MessageBatchPage, client.get(_PATH, query), _VENDOR)
            for batch in page.data:
                if batch.created_at < datetime.fromtimestamp(since, UTC):
                    return
                yield batch
            if not page.has_more or page.last_id is None:
                return
            query["after_id"] = page.last_id


def _status(batch: "_MessageBatch") -> BatchStatus:
    counts = batch.request_counts
    ended = batch.processing_status == "ended"
    finished = counts.succeeded + counts.errored + counts.canceled + counts.expired
    return BatchStatus(
        batch.id,
        total=counts.processing + finished,
        answered=finished,
        ended=ended,
        results=(f"{_PATH}/{batch.id}/results",) if ended and batch.results_url else (),
    )


def _outcome(entry: dict[str, Any], where: str, secrets: tuple[str, ...]) -> Outcome:
    result: Any = entry.get("result")
    if not isinstance(result, dict):
        return Unanswered.MISSING
    result = cast("dict[str, Any]", result)
    kind = result.get("type")
    if kind == "succeeded":
        return to_json(result.get("message"))
    if kind in _UNANSWERED_TYPES:
        return _UNANSWERED_TYPES[kind]
    error: Any = result.get("error") or {}
    inner: Any = error.get("error") or error
    message = clean(str(inner.get("message") or inner or "no reason given"), secrets)
    return failure_from_status(where, ERROR_STATUSES.get(inner.get("type"), 500), message)


class _MessageBatchCounts(BaseModel):
    processing: int = 0
    succeeded: int = 0
    errored: int = 0
    canceled: int = 0
    expired: int = 0


class _MessageBatch(BaseModel):
    id: str
    processing_status: str
    created_at: datetime
    request_counts: _MessageBatchCounts
    results_url: str | None = None


class _MessageBatchPage(BaseModel):
    data: tuple[_MessageBatch, ...] = ()
    has_more: bool = False
    last_id: str | None = None
