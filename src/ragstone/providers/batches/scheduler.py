"""Collects the requests of a run and submits them in batches, whenever every measurement is waiting.

Providers do not notice: `Transport.send` passes the request to the scheduler and gets the body of the response, perhaps
an hour later. Batches that an earlier process of the run submitted are waited for or fetched, not submitted again.
"""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from time import time
from typing import Any

from ragstone.event import BatchProgress
from ragstone.providers.batches.activity import ActivityCounter, current_owner, idle
from ragstone.providers.batches.api import BatchApi
from ragstone.providers.batches.client import batch_client
from ragstone.providers.batches.log import BatchLog, BatchLogEntry, InMemoryBatchLog
from ragstone.providers.batches.submitter import BatchSubmitter, PendingRequest
from ragstone.providers.http.endpoint import Endpoint
from ragstone.providers.http.failures import AttemptFailure
from ragstone.providers.http.transport import Transport

INTERVAL = 60.0
"""Most seconds between two polls of a batch."""

_MAX_COUNTED_REQUESTS = 262_144
"""Requests whose occurrences are counted; equal requests are made close together."""


_ENVELOPE_BYTES = 4096
"""Bytes of a batch that belong to no request: form header, list brackets."""


@dataclass(slots=True, eq=False)
class _ModelQueue:
    """Requests to one model that are to be submitted, or (`earlier`) were by an earlier process, by batch number."""

    endpoint: Endpoint
    vendor: BatchApi
    submitter: BatchSubmitter
    items: list[PendingRequest] = field(default_factory=list[PendingRequest])
    bytes: int = 0
    earlier: dict[int, list[PendingRequest]] = field(default_factory=dict[int, list[PendingRequest]])

    def has_room(self, item: PendingRequest) -> bool:
        """Return whether the request fits into the batch."""
        size_fits = self.bytes + len(item.line) + 1 <= self.vendor.max_bytes - _ENVELOPE_BYTES
        return size_fits and len(self.items) < self.vendor.max_requests

    def take(self) -> list[PendingRequest]:
        """Remove and return the requests of the next batch."""
        items, self.items, self.bytes = self.items, [], 0
        return items


class BatchScheduler:
    """Schedules the batches of one run, in one event loop. Enter `opened` before sending."""

    def __init__(
        self,
        run: str,
        *,
        batch_log: BatchLog | None = None,
        interval: float = INTERVAL,
        emit: Callable[[BatchProgress], object] = lambda _: None,
    ) -> None:
        """Start without requests; `interval` is the most seconds between two polls, `emit` takes progress."""
        self.activity = ActivityCounter()
        self._run = run
        self._log: BatchLog = batch_log or InMemoryBatchLog()
        self._interval = interval
        self._emit = emit
        self._queues: dict[tuple[str, str], _ModelQueue] = {}
        self._occurrences: OrderedDict[bytes, int] = OrderedDict()
        self._entries = {entry.number: entry for entry in self._log.entries()}
        self._submissions = Counter(key for entry in self._entries.values() for key in entry.keys)
        self._earlier_numbers = {key: entry.number for entry in self._entries.values() for key in entry.keys}
        self._last_number = max(self._entries, default=0)
        self._has_requests = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def opened(self) -> AsyncGenerator["BatchScheduler"]:
        """Submit batches for the time of the block; batches that have not ended by then stay with the vendor.

        Raises:
            ExceptionGroup: the batch log failed.
        """
        async with asyncio.TaskGroup() as group:
            self._group = group
            self._start(self._submit_when_idle())
            try:
                yield self
            finally:
                for task in tuple(self._tasks):
                    task.cancel()

    async def send(self, transport: Transport, endpoint: Endpoint, body: bytes) -> bytes | AttemptFailure:
        """Return the body of the response, or why there is none, once the batch with this request has ended."""
        queue = self._queue(transport, endpoint)
        key = self._key(endpoint, body)
        earlier = self._earlier_numbers.get(key)
        tries = 0 if earlier is None else self._submissions[key] - 1
        answer: asyncio.Future[bytes | AttemptFailure] = asyncio.get_running_loop().create_future()
        item = PendingRequest(key, queue.vendor.line(key, body), answer, tries)
        with idle():
            self._enqueue(queue, item, earlier)
            return await answer

    def _key(self, endpoint: Endpoint, body: bytes) -> str:
        """Return a hash over the request, including the caller and the occurrence number.

        Another process of the same run computes the same key: equal requests come in the same order.
        """
        parts = (self._run, current_owner(), endpoint.url, endpoint.model)
        digest = blake2b("\n".join(parts).encode("utf-8", "surrogatepass"), digest_size=16)
        digest.update(body)
        request_hash = digest.digest()
        occurrence = self._occurrences[request_hash] = self._occurrences.get(request_hash, 0) + 1
        if len(self._occurrences) > _MAX_COUNTED_REQUESTS:
            self._occurrences.popitem(last=False)
        return f"{request_hash.hex()}-{occurrence}"

    def _queue(self, transport: Transport, endpoint: Endpoint) -> _ModelQueue:
        queue_key = (endpoint.url, endpoint.model)
        queue = self._queues.get(queue_key)
        if queue is None:
            if endpoint.batches is None:
                raise AssertionError
            client = batch_client(transport, endpoint, endpoint.batches, self._interval)

            def resubmit(items: list[PendingRequest]) -> None:
                for item in items:
                    self._enqueue(new_queue, item)

            submitter = BatchSubmitter(endpoint.batches, client, self._log, resubmit, self._emit)
            queue = new_queue = self._queues[queue_key] = _ModelQueue(endpoint, endpoint.batches, submitter)
        return queue

    def _enqueue(self, queue: _ModelQueue, item: PendingRequest, earlier: int | None = None) -> None:
        if earlier is not None:
            queue.earlier.setdefault(earlier, []).append(item)
        else:
            if not queue.has_room(item):
                self._start(self._submit_and_wait(queue, queue.take()))
            queue.items.append(item)
            queue.bytes += len(item.line) + 1
        self._has_requests.set()

    async def _submit_when_idle(self) -> None:
        while True:
            await self._has_requests.wait()
            await self.activity.wait_idle()
            self._has_requests.clear()
            for queue in self._queues.values():
                if queue.items:
                    self._start(self._submit_and_wait(queue, queue.take()))
                earlier, queue.earlier = queue.earlier, {}
                for number, items in earlier.items():
                    self._start(queue.submitter.resume(self._entries[number], self._run, items))

    async def _submit_and_wait(self, queue: _ModelQueue, items: list[PendingRequest]) -> None:
        """Submit one batch or, if it is too large for the vendor's queue, two halves, one after the other."""
        rejected = await queue.submitter.submit_and_wait(self._entry(queue.endpoint, items), self._run, items)
        half = len(rejected) // 2
        for half_items in (rejected[:half], rejected[half:]):
            if half_items:
                await self._submit_and_wait(queue, half_items)

    def _entry(self, endpoint: Endpoint, items: list[PendingRequest]) -> BatchLogEntry:
        self._last_number += 1
        keys = tuple(item.key for item in items)
        return BatchLogEntry(
            self._last_number, endpoint.provider, endpoint.model, endpoint.url, keys, since=time()
        )

    def _start(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = self._group.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
