"""Gathers what a stage of a run asks of a vendor, and sends it off as one batch when nobody has more to ask.

The models' providers know nothing of it: a request that would be posted is handed in here, and the body of its answer
comes back, an hour later perhaps. What an earlier process of the run has submitted already is waited for, or fetched
again, and not submitted anew.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from time import time
from typing import Any

from ragstone.event import Batched
from ragstone.providers._fault import Fault
from ragstone.providers._transport import Endpoint, Transport
from ragstone.providers.batches._batch import Vendor
from ragstone.providers.batches._errand import Errand
from ragstone.providers.batches._ledger import Entry, Ledger, Slate
from ragstone.providers.batches._roll import Roll, away, on_behalf_of
from ragstone.providers.batches._shipment import Carrier, Item

INTERVAL = 60.0
"""Most seconds between two looks at a batch."""


_MARGIN = 4096
"""Bytes of a batch that are no request: the form's head, the list's brackets."""


def _nobody(event: Batched) -> None:
    del event


@dataclass(slots=True, eq=False)
class _Stack:
    """Requests to one model that wait for their batch, or for one of an earlier process."""

    vendor: Vendor
    endpoint: Endpoint
    carrier: Carrier
    items: list[Item] = field(default_factory=list[Item])
    bytes: int = 0
    earlier: dict[int, list[Item]] = field(default_factory=dict[int, list[Item]])

    def has_room(self, item: Item) -> bool:
        within = self.bytes + len(item.line) + 1 <= self.vendor.most_bytes - _MARGIN
        return within and len(self.items) < self.vendor.most_requests

    def add(self, item: Item) -> None:
        self.items.append(item)
        self.bytes += len(item.line) + 1

    def take(self) -> list[Item]:
        items, self.items, self.bytes = self.items, [], 0
        return items


class Dispatch:
    """The batches of one run. Belongs to one event loop; enter `opened` before anything is sent."""

    def __init__(
        self,
        run: str,
        *,
        ledger: Ledger | None = None,
        interval: float = INTERVAL,
        tell: Callable[[Batched], None] = _nobody,
    ) -> None:
        """Gather requests; `roll` counts those who may have more.

        Args:
            run: the run's id.
            ledger: remembers what was submitted; forgets it with the process where None.
            interval: most seconds between two looks at a batch.
            tell: hears how far each batch is.
        """
        self.roll = Roll()
        self._run = run
        self._ledger: Ledger = ledger or Slate()
        self._interval = interval
        self._tell = tell
        self._stacks: dict[tuple[str, str], _Stack] = {}
        self._askings: Counter[str] = Counter()
        self._entries = {entry.number: entry for entry in self._ledger.entries()}
        self._travelled = Counter(key for entry in self._entries.values() for key in entry.keys)
        self._earlier = {key: entry.number for entry in self._entries.values() for key in entry.keys}
        self._numbers = max(self._entries, default=0)
        self._needed = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def opened(self) -> AsyncGenerator["Dispatch"]:
        """Send off batches for the time of the block; what is under way at its end stays with the vendor.

        Raises:
            ExceptionGroup: the ledger failed.
        """
        async with asyncio.TaskGroup() as group:
            self._group = group
            self._begin(self._send_off_stages())
            try:
                yield self
            finally:
                for task in tuple(self._tasks):
                    task.cancel()

    async def send(self, transport: Transport, endpoint: Endpoint, body: bytes) -> bytes | Fault:
        """Return the body of the answer, or why there is none, once the batch that `body` travels in has ended."""
        stack = self._stack(transport, endpoint)
        key = self._key(endpoint, body)
        answer: asyncio.Future[bytes | Fault] = asyncio.get_running_loop().create_future()
        item = Item(key, stack.vendor.line(key, body), answer, self._travelled[key])
        with away():
            self._put(stack, item, self._earlier.get(key))
            return await answer

    def _key(self, endpoint: Endpoint, body: bytes) -> str:
        """Return a hash over all that is asked, on whose behalf, and the how manieth asking of it this is.

        So that an earlier process of the run has the same key for it: askings of the same come in the same order.
        """
        parts = (self._run, on_behalf_of(), endpoint.url, endpoint.model)
        digest = blake2b("\n".join(parts).encode("utf-8", "surrogatepass"), digest_size=16)
        digest.update(body)
        name = digest.hexdigest()
        self._askings[name] += 1
        return f"{name}-{self._askings[name]}"

    def _stack(self, transport: Transport, endpoint: Endpoint) -> _Stack:
        where = (endpoint.url, endpoint.model)
        stack = self._stacks.get(where)
        if stack is None:
            if endpoint.batches is None:
                raise AssertionError
            errand = Errand(transport, endpoint, endpoint.batches.base, self._interval)

            def again(items: list[Item]) -> None:
                for item in items:
                    self._put(made, item)

            carrier = Carrier(endpoint.batches, errand, self._ledger, again, self._tell)
            made = stack = self._stacks[where] = _Stack(endpoint.batches, endpoint, carrier)
        return stack

    def _put(self, stack: _Stack, item: Item, earlier: int | None = None) -> None:
        if earlier is not None:
            stack.earlier.setdefault(earlier, []).append(item)
        else:
            if not stack.has_room(item):
                self._begin(self._ship(stack, stack.take()))
            stack.add(item)
        self._needed.set()

    async def _send_off_stages(self) -> None:
        while True:
            await self._needed.wait()
            await self.roll.nobody()
            self._needed.clear()
            for stack in self._stacks.values():
                if stack.items:
                    self._begin(self._ship(stack, stack.take()))
                earlier, stack.earlier = stack.earlier, {}
                for number, items in earlier.items():
                    entry = self._entries[number]
                    self._begin(stack.carrier.fetch(entry, self._run, items))

    async def _ship(self, stack: _Stack, items: list[Item]) -> None:
        """Ship in one batch, or, where the vendor's queue holds no more, in halves, one after the other."""
        left = await stack.carrier.ship(self._entry(stack, items), self._run, items)
        half = len(left) // 2
        for part in (left[:half], left[half:]):
            if part:
                await self._ship(stack, part)

    def _entry(self, stack: _Stack, items: list[Item]) -> Entry:
        self._numbers += 1
        place, keys = stack.endpoint, tuple(item.key for item in items)
        return Entry(self._numbers, place.provider, place.model, place.url, keys, since=time())

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._group.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
