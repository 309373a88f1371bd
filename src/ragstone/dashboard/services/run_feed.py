"""Live: what is new in a run, told to everybody who looks at it, also where the run goes on in another process.

One watcher a run asks the store five times a second, while somebody looks. What it finds is kept once for all: the
newest state of each test case that has changed lately. A viewer has no queue, only the number of the last change it
has seen; one that is slow skips to the newest state, one that was away too long is told to read the page anew. Memory
does not grow with viewers, nor with a run.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from hashlib import blake2b
from math import inf
from time import monotonic
from typing import Annotated

from fastapi import Depends, Request

from ragstone.dashboard.services.figures_cache import FiguresCache, RunSnapshot
from ragstone.errors import RagstoneError
from ragstone.store import CaseLine, Store, StoredRun

KEPT = 400
"""Test cases whose newest state is kept for viewers that are behind."""

_OFTEN, _SELDOM = 0.2, 0.8
"""Seconds between two looks at a run that goes on, and at one that does not."""

_SHARE = 1.5
"""A look that takes long is followed by a pause so many times as long."""

_FAR = 2000
"""Results that are looked through at most to find what has changed."""

_SIGN = 15.0
"""Seconds after which a viewer is told that nothing is new, so that a broken connection is noticed."""


@dataclass(frozen=True, slots=True, eq=False)
class CaseUpdate:
    """A test case that has changed.

    Attributes:
        serial: number of its last result.
        line: the test case as the table shows it.
        why: what is wrong with it, in a sentence; empty where nothing is.
    """

    serial: int
    line: CaseLine
    why: str


@dataclass(frozen=True, slots=True, eq=False)
class RunUpdate:
    """What a viewer is told.

    Attributes:
        since: the change after which this is news.
        reading: the run as it is now.
        rows: what has changed since the viewer was told last, in the order in which it came.
        whole: whether more has changed than is known here: read the table anew.
        drawn: what renderings of this state were made; shared by all who are told of it.
        drawing: held by whoever makes one, so that the others find it made.
    """

    since: int
    reading: RunSnapshot
    rows: tuple[CaseUpdate, ...]
    whole: bool
    drawn: dict[str, str]
    drawing: asyncio.Lock

    @property
    def serial(self) -> int:
        """Number of the last result."""
        return self.reading.line.progress.serial


@dataclass(slots=True)
class RunFollower:
    """One run that somebody looks at."""

    stored: StoredRun
    seen: int
    floor: int
    viewers: int = 0
    version: int = 0
    reading: RunSnapshot | None = None
    rows: OrderedDict[int, CaseUpdate] = field(default_factory=OrderedDict[int, CaseUpdate])
    drawn: dict[str, str] = field(default_factory=dict[str, str])
    drawing: asyncio.Lock = field(default_factory=asyncio.Lock)
    gone: bool = False
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None

    def news(self, seen: int) -> RunUpdate | None:
        if self.reading is None:
            return None
        rows = tuple(row for row in self.rows.values() if row.serial > seen)
        return RunUpdate(seen, self.reading, rows, seen < self.floor, self.drawn, self.drawing)

    def take(self, reading: RunSnapshot, rows: list[CaseUpdate]) -> None:
        """Take in what is new, and wake those who wait."""
        for row in rows:
            self.rows[row.line.case_index] = row
            self.rows.move_to_end(row.line.case_index)
        while len(self.rows) > KEPT:
            _, gone = self.rows.popitem(last=False)
            self.floor = max(self.floor, gone.serial)
        self.reading, self.drawn = reading, {}
        self.version += 1
        self.wake()

    def wake(self) -> None:
        waiting, self.changed = self.changed, asyncio.Event()
        waiting.set()


def etag(change_marker: object) -> str:
    """Return a short name for the state of a store."""
    return blake2b(repr(change_marker).encode(), digest_size=8).hexdigest()


class RunFeed:
    """The runs of one store that somebody looks at. Used from one event loop.

    Attributes:
        over: whether the server stops.
    """

    def __init__(self, store: Store, gauges: FiguresCache) -> None:
        """Look at runs of `store`."""
        self._store = store
        self._gauges = gauges
        self._watches: dict[int, RunFollower] = {}
        self._asking = asyncio.Lock()
        self._felt: tuple[object, float] = (None, -inf)
        self.over = False

    async def follow(self, stored: StoredRun, since: int) -> AsyncIterator[RunUpdate | None]:
        """Yield what is new in a run after the change of number `since`; now and then None, where nothing is.

        It ends where the server stops, or the run is gone.
        """
        watch = self._watch(stored, since)
        watch.viewers += 1
        seen, version = since, -1
        try:
            while not (self.over or watch.gone):
                if watch.version != version and (news := watch.news(seen)) is not None:
                    version, seen = watch.version, news.serial
                    yield news
                elif not await _wait(watch):
                    yield None
        finally:
            watch.viewers -= 1

    async def runs(self, seen: str = "") -> AsyncIterator[bool]:
        """Yield True whenever a run has come, gone or moved on, now and then False where nothing has.

        `seen` is the stamp of what the page shows: what came between the page and its stream is told at once.
        """
        before, told = await self._pulse(), monotonic()
        if seen not in {"", etag(before)}:
            yield True
        while not self.over:
            await asyncio.sleep(_OFTEN * 2)
            now = await self._pulse()
            if now != before or monotonic() - told > _SIGN:
                yield now != before
                before, told = now, monotonic()

    async def _pulse(self) -> object:
        """Return how the store stands, asked for once for all who look at the list."""
        async with self._asking:
            if monotonic() - self._felt[1] > _OFTEN:
                self._felt = await asyncio.to_thread(self._store.change_marker), monotonic()
            return self._felt[0]

    def close(self) -> None:
        """End every stream: the server stops."""
        self.over = True
        for watch in self._watches.values():
            watch.wake()

    def _watch(self, stored: StoredRun, since: int) -> RunFollower:
        watch = self._watches.get(stored.number)
        if watch is None:
            watch = self._watches[stored.number] = RunFollower(stored, seen=since, floor=since)
            watch.task = asyncio.create_task(self._look_on(watch))
        return watch

    async def _look_on(self, watch: RunFollower) -> None:
        """Look at a run until nobody else does."""
        change_marker: object = None
        try:
            while not self.over:
                start = monotonic()
                found = await self._looked(watch, change_marker)
                change_marker = found.change_marker
                if found.reading is not None:
                    watch.seen = found.reading.line.progress.serial
                    watch.floor = max(watch.floor, found.passed_over)
                    watch.take(found.reading, found.rows)
                going_on = watch.reading is not None and watch.reading.line.progress.state == "running"
                await asyncio.sleep(max(_OFTEN if going_on else _SELDOM, _SHARE * (monotonic() - start)))
                if not watch.viewers:
                    return
        except RagstoneError:  # who looks finds out by asking again
            watch.gone = True
        finally:
            self._watches.pop(watch.stored.number, None)
            watch.wake()

    async def _looked(self, watch: RunFollower, before: object) -> "_PolledChanges":
        """Look, in a thread; where the database is away for a while, nothing is new."""
        try:
            return await asyncio.to_thread(self._look, watch, before)
        except RagstoneError:
            raise
        except Exception:  # noqa: BLE001  (only the store knows its database's errors; the next look tries again)
            return _PolledChanges(None, None, [], 0)

    def _look(self, watch: RunFollower, before: object) -> "_PolledChanges":
        """Read what is new. In a thread: a store may be slow."""
        change_marker = self._store.change_marker(watch.stored)
        if change_marker == before:
            return _PolledChanges(change_marker, None, [], 0)
        reading = self._gauges.of(watch.stored)
        least = reading.line.progress.serial - _FAR
        if watch.seen < least:
            watch.seen = watch.floor = least
        return _PolledChanges(change_marker, reading, *_rows(self._store, watch.stored, watch.seen))


@dataclass(frozen=True, slots=True)
class _PolledChanges:
    change_marker: object
    reading: RunSnapshot | None
    rows: list[CaseUpdate]
    passed_over: int


def _rows(store: Store, stored: StoredRun, since: int) -> tuple[list[CaseUpdate], int]:
    """Return the test cases that have changed after a serial number, the latest `KEPT`, and the last passed over."""
    latest: dict[int, int] = {}
    while (changes := store.changes(stored, since)).lines:
        for line in changes.lines:
            latest.pop(line.case_index, None)
            latest[line.case_index] = line.serial
        since = changes.serial
    wanted = [*latest][-KEPT:]
    passed_over = max((latest[index] for index in [*latest][:-KEPT]), default=0)
    table = store.table(stored)
    lines, reasons = table.of(wanted), table.reasons(wanted)
    found = {
        line.case_index: CaseUpdate(latest[line.case_index], line, reasons.get(line.case_index, ""))
        for line in lines
    }
    return [found[index] for index in wanted if index in found], passed_over


async def _wait(watch: RunFollower) -> bool:
    """Wait for something new; tell whether it came in time."""
    try:
        await asyncio.wait_for(watch.changed.wait(), _SIGN)
    except TimeoutError:
        return False
    return True


def _live(request: Request) -> RunFeed:
    return request.app.state.live


RunFeedDep = Annotated[RunFeed, Depends(_live)]
"""A parameter of this type follows runs for the application that was asked."""
