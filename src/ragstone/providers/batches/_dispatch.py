"""Gathers what a stage of a run asks of a vendor, and sends it off as one batch when nobody has more to ask.

The models' providers know nothing of it: a request that would be posted is handed in here, and the body of its answer
comes back, an hour later perhaps. What an earlier process of the run has submitted already is waited for, or fetched
again, and not submitted anew.
"""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from hashlib import blake2b
from time import time
from typing import Any, NamedTuple

from ragstone.event import Batched
from ragstone.providers._fault import Fault
from ragstone.providers._transport import Endpoint, Transport
from ragstone.providers.batches._errand import Errand
from ragstone.providers.batches._ledger import Entry, Ledger, Slate
from ragstone.providers.batches._roll import Roll, away, on_behalf_of
from ragstone.providers.batches._shipment import Carrier
from ragstone.providers.batches._stack import Item, Stack

INTERVAL = 60.0
"""Most seconds between two looks at a batch."""

_REMEMBERED = 262_144
"""Requests of which is remembered how often they were asked: equal ones are asked close together."""


def _nobody(event: Batched) -> None:
    del event


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
        self._lanes: dict[tuple[str, str], _Lane] = {}
        self._askings: OrderedDict[bytes, int] = OrderedDict()
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
        lane = self._lane(transport, endpoint)
        key = self._key(endpoint, body)
        earlier = self._earlier.get(key)
        tries = 0 if earlier is None else self._travelled[key] - 1
        answer: asyncio.Future[bytes | Fault] = asyncio.get_running_loop().create_future()
        item = Item(key, lane.stack.vendor.line(key, body), answer, tries)
        with away():
            self._put(lane, item, earlier)
            return await answer

    def _key(self, endpoint: Endpoint, body: bytes) -> str:
        """Return a hash over all that is asked, on whose behalf, and the how manieth asking of it this is.

        So that an earlier process of the run has the same key for it: askings of the same come in the same order.
        """
        parts = (self._run, on_behalf_of(), endpoint.url, endpoint.model)
        digest = blake2b("\n".join(parts).encode("utf-8", "surrogatepass"), digest_size=16)
        digest.update(body)
        name = digest.digest()
        asking = self._askings[name] = self._askings.get(name, 0) + 1
        if len(self._askings) > _REMEMBERED:
            self._askings.popitem(last=False)
        return f"{name.hex()}-{asking}"

    def _lane(self, transport: Transport, endpoint: Endpoint) -> "_Lane":
        where = (endpoint.url, endpoint.model)
        lane = self._lanes.get(where)
        if lane is None:
            if endpoint.batches is None:
                raise AssertionError
            errand = Errand(transport, endpoint, endpoint.batches.base, self._interval)

            def again(items: list[Item]) -> None:
                for item in items:
                    self._put(made, item)

            carrier = Carrier(endpoint.batches, errand, self._ledger, again, self._tell)
            made = lane = self._lanes[where] = _Lane(endpoint, carrier, Stack(endpoint.batches))
        return lane

    def _put(self, lane: "_Lane", item: Item, earlier: int | None = None) -> None:
        stack = lane.stack
        if earlier is not None:
            stack.earlier.setdefault(earlier, []).append(item)
        else:
            if not stack.has_room(item):
                self._begin(self._ship(lane, stack.take()))
            stack.add(item)
        self._needed.set()

    async def _send_off_stages(self) -> None:
        while True:
            await self._needed.wait()
            await self.roll.nobody()
            self._needed.clear()
            for lane in self._lanes.values():
                if lane.stack.items:
                    self._begin(self._ship(lane, lane.stack.take()))
                earlier, lane.stack.earlier = lane.stack.earlier, {}
                for number, items in earlier.items():
                    self._begin(lane.carrier.fetch(self._entries[number], self._run, items))

    async def _ship(self, lane: "_Lane", items: list[Item]) -> None:
        """Ship in one batch, or, where the vendor's queue holds no more, in halves, one after the other."""
        left = await lane.carrier.ship(self._entry(lane.endpoint, items), self._run, items)
        half = len(left) // 2
        for part in (left[:half], left[half:]):
            if part:
                await self._ship(lane, part)

    def _entry(self, place: Endpoint, items: list[Item]) -> Entry:
        self._numbers += 1
        keys = tuple(item.key for item in items)
        return Entry(self._numbers, place.provider, place.model, place.url, keys, since=time())

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._group.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class _Lane(NamedTuple):
    """One model of one vendor: where it is asked, who carries its batches, what waits for one."""

    endpoint: Endpoint
    carrier: Carrier
    stack: Stack
