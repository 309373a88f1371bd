"""One batch on its way: submitted for certain and once, looked at with growing pauses, its answers handed out."""

import asyncio
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from time import monotonic, time
from typing import TypeVar

from ragstone.errors import BatchOutOfReach
from ragstone.event import Batched
from ragstone.providers._fault import Fault, Kind
from ragstone.providers.batches._batch import Label, Outcome, Standing, Undone, Vendor
from ragstone.providers.batches._errand import Errand, Mishap, unsure
from ragstone.providers.batches._ledger import Entry, Ledger
from ragstone.providers.batches._stack import Item

T = TypeVar("T")

_LIFE = 26 * 3600.0
"""Seconds after which a batch must have ended: vendors allow a day."""

_LOOKS = 60
"""Looks in vain after which a vendor counts as out of reach."""

_FIRST_PAUSE, _GROWTH = 1.0, 1.5
_SUBMISSIONS = 3


@dataclass(frozen=True, slots=True)
class Carrier:
    """What every shipment to one vendor's model needs.

    Attributes:
        vendor: takes the batches.
        errand: calls the vendor.
        ledger: remembers what was submitted.
        again: takes requests that are to travel once more.
        tell: hears how far a batch is.
    """

    vendor: Vendor
    errand: Errand
    ledger: Ledger
    again: Callable[[list[Item]], None]
    tell: Callable[[Batched], None]

    async def ship(self, entry: Entry, run: str, items: list[Item]) -> list[Item]:
        """Submit `items`, wait, and hand out the answers. Returns those that were too much for the vendor's queue."""
        self.ledger.intend(entry)
        with _stopping(items):
            try:
                standing = await self._submit(self._label(entry, run), [item.line for item in items])
            except Mishap as mishap:
                if unsure(mishap.fault):  # the entry stays: the next process looks for the batch
                    raise
                self.ledger.forget(entry.number)
                if mishap.fault.again:
                    raise
                _give_all(items, mishap.fault)
                return []
            self.ledger.submitted(entry.number, standing.id)
            standing = await self._ended(entry, standing)
            if standing.too_much and len(items) > 1:
                self.ledger.forget(entry.number)
                return items
            await self._hand_out(standing, items, cancelled_again=False)
        return []

    async def fetch(self, entry: Entry, run: str, items: list[Item]) -> None:
        """Wait for a batch of an earlier process, and hand out the answers to `items`."""
        with _stopping(items):
            standing = await self._taken_up(entry, run)
            if standing is not None:
                standing = await self._ended(entry, standing)
            if standing is None or standing.refused is not None:
                self.ledger.forget(entry.number)
                self.again(items)
            else:
                await self._hand_out(standing, items, cancelled_again=True)

    async def _taken_up(self, entry: Entry, run: str) -> Standing | None:
        """Return a batch of an earlier process; None where there is none: that died too soon, or it was deleted."""
        if entry.batch is None:
            found = await self.vendor.find(self.errand, self._label(entry, run))
            if found is not None:
                self.ledger.submitted(entry.number, found.id)
            return found
        try:
            return await self.vendor.look(self.errand, entry.batch)
        except Mishap as mishap:
            if mishap.fault.status == 404:  # noqa: PLR2004  (not found)
                return None
            raise

    def _label(self, entry: Entry, run: str) -> Label:
        return Label(run, entry.number, frozenset(entry.keys), entry.since, self.ledger.known())

    async def _submit(self, label: Label, lines: list[bytes]) -> Standing:
        """Submit once: where the vendor may have heard us without our hearing it, look before doing it again."""
        left = _SUBMISSIONS
        while True:
            try:
                return await self.vendor.submit(self.errand, lines, label)
            except Mishap as mishap:
                left -= 1
                if not unsure(mishap.fault):
                    raise
                await asyncio.sleep(self._first_pause)
                found = await self._find(label, mishap)
                if found is not None:
                    return found
                if not left:
                    raise

    async def _find(self, label: Label, doubt: Mishap) -> Standing | None:
        try:
            return await self.vendor.find(self.errand, label)
        except Mishap:
            raise doubt from None  # which is as unsure as before

    @property
    def _first_pause(self) -> float:
        return min(_FIRST_PAUSE, self.errand.interval)

    async def _ended(self, entry: Entry, standing: Standing) -> Standing:
        """Look at a batch until it has ended, with growing pauses.

        Raises:
            Mishap: it cannot be looked at, or it does not end.
        """
        pause = self._first_pause
        while True:
            self._tell(entry, standing)
            if standing.ended:
                return standing
            if time() - entry.since > _LIFE:
                about = self.errand.about(standing.id)
                raise Mishap(Fault(Kind.LATE, f"{about}: it has not ended within a day", again=False))
            await asyncio.sleep(pause)
            pause = min(self.errand.interval, _GROWTH * pause)
            standing = await self._patiently(partial(self.vendor.look, self.errand, standing.id))

    async def _patiently(self, call: Callable[[], Awaitable[T]]) -> T:
        """Return what `call` brings, though the vendor may be out of reach for a while: what waits is paid for."""
        until = monotonic() + _LOOKS * self.errand.interval
        while True:
            try:
                return await call()
            except Mishap as mishap:
                if not mishap.fault.again or monotonic() > until:
                    raise
            await asyncio.sleep(self.errand.interval)

    async def _hand_out(self, standing: Standing, items: list[Item], *, cancelled_again: bool) -> None:
        if standing.refused is not None:
            _give_all(items, standing.refused)
            return
        outcomes = await self._patiently(partial(self.vendor.results, self.errand, standing))
        left = {item.key: item for item in items}
        found = [(item, outcome) for key, outcome in outcomes if (item := left.pop(key, None)) is not None]
        missed: list[tuple[Item, Outcome]] = [(item, Undone.MISSING) for item in left.values()]
        where = self.errand.about(standing.id)
        self.again(
            [
                item
                for item, outcome in (*found, *missed)
                if not item.settle(outcome, where, cancelled_again=cancelled_again)
            ]
        )

    def _tell(self, entry: Entry, standing: Standing) -> None:
        judge, total = f"{entry.vendor}:{entry.model}", standing.total or len(entry.keys)
        self.tell(Batched(entry.number, judge, standing.id, standing.answered, total, ended=standing.ended))


def _give_all(items: list[Item], fault: Fault) -> None:
    for item in items:
        item.give(fault)


@contextmanager
def _stopping(items: list[Item]) -> Generator[None]:
    """Have the run stop where a batch that is paid for cannot be fetched: a later process may."""
    try:
        yield
    except Mishap as mishap:
        error = BatchOutOfReach(
            f"{mishap.fault.message}. Resume the run later: what is answered by then is fetched."
        )
        for item in items:
            item.fail(error)
