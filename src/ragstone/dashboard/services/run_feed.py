"""Live updates of runs for any number of viewers, also of runs in other processes.

One follower per run polls the store, five times a second, while there is a viewer. It keeps the newest state of each
test case that changed recently. A viewer has no queue, only the number of the last change it has seen: a slow one skips
to the newest state, one that is too far behind reloads the table. Memory use grows neither with viewers nor with a run.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from math import inf
from time import monotonic

from ragstone.dashboard.services.figures_cache import FiguresCache, RunSnapshot
from ragstone.errors import RagstoneError
from ragstone.store import CaseLine, Store, StoredRun

KEPT = 400  # test cases whose newest state is kept for viewers that are behind
_ACTIVE_POLL, _IDLE_POLL = 0.2, 0.8  # seconds between two polls of an active run, and of another one
_PAUSE_FACTOR = 1.5  # the pause after a poll is at least this many times as long as the poll
_MAX_RESULTS = 2000  # limit on the results that are searched for changes
_KEEP_ALIVE_SECONDS = 15.0  # seconds after which a keep-alive is sent, so that a broken connection is noticed


@dataclass(frozen=True, slots=True, eq=False)
class CaseUpdate:
    """A test case that has changed: number of its last result, its row, and what is wrong with it, if anything."""

    serial: int
    line: CaseLine
    why: str


@dataclass(frozen=True, slots=True, eq=False)
class RunUpdate:
    """An update for one viewer who has seen the changes up to `since`.

    Where changes are missing in `rows`, `whole` is true and the table must be reloaded. Renderings of this state are in
    `drawn`, shared by all viewers; the lock is held while one is made, so that it is made once.
    """

    since: int
    snapshot: RunSnapshot
    rows: tuple[CaseUpdate, ...]
    whole: bool
    drawn: dict[str, str]
    rendering: asyncio.Lock

    @property
    def serial(self) -> int:
        """Number of the last result."""
        return self.snapshot.line.progress.serial


@dataclass(slots=True)
class RunFollower:
    """One run with at least one viewer."""

    stored: StoredRun
    seen: int
    floor: int
    viewers: int = 0
    version: int = 0
    snapshot: RunSnapshot | None = None
    rows: OrderedDict[int, CaseUpdate] = field(default_factory=OrderedDict[int, CaseUpdate])
    drawn: dict[str, str] = field(default_factory=dict[str, str])
    rendering: asyncio.Lock = field(default_factory=asyncio.Lock)
    ended: bool = False
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None

    def update(self, seen: int) -> RunUpdate | None:
        """Return what is new after the change of number `seen`; None before the run was read."""
        if self.snapshot is None:
            return None
        rows = tuple(row for row in self.rows.values() if row.serial > seen)
        return RunUpdate(seen, self.snapshot, rows, seen < self.floor, self.drawn, self.rendering)

    def take(self, snapshot: RunSnapshot, rows: list[CaseUpdate]) -> None:
        """Store a new snapshot and changed test cases, and wake the viewers."""
        for row in rows:
            self.rows[row.line.case_index] = row
            self.rows.move_to_end(row.line.case_index)
        while len(self.rows) > KEPT:
            _, oldest = self.rows.popitem(last=False)
            self.floor = max(self.floor, oldest.serial)
        self.snapshot, self.drawn = snapshot, {}
        self.version += 1
        self.wake()

    def wake(self) -> None:
        """Wake every viewer that waits."""
        event, self.changed = self.changed, asyncio.Event()
        event.set()


def etag(change_marker: object) -> str:
    """Return a short hash of a change marker."""
    return blake2b(repr(change_marker).encode(), digest_size=8).hexdigest()


class RunFeed:
    """The runs of one store that have viewers. Used from one event loop.

    Attributes:
        closing: whether the server is stopping.
    """

    def __init__(self, store: Store, figures_cache: FiguresCache) -> None:
        self._store = store
        self._figures_cache = figures_cache
        self._followers: dict[int, RunFollower] = {}
        self._marker_lock = asyncio.Lock()
        self._last_marker: tuple[object, float] = (None, -inf)
        self.closing = False

    async def follow(self, stored: StoredRun, since: int) -> AsyncIterator[RunUpdate | None]:
        """Yield the updates of a run after the change of number `since`; None at intervals without an update.

        It ends when the server stops or the run is deleted.
        """
        follower = self._follower(stored, since)
        follower.viewers += 1
        seen, version = since, -1
        try:
            while not (self.closing or follower.ended):
                if follower.version != version and (update := follower.update(seen)) is not None:
                    version, seen = follower.version, update.serial
                    yield update
                else:
                    try:
                        await asyncio.wait_for(follower.changed.wait(), _KEEP_ALIVE_SECONDS)
                    except TimeoutError:
                        yield None
        finally:
            follower.viewers -= 1

    async def runs(self, seen: str = "") -> AsyncIterator[bool]:
        """Yield True when a run was added, deleted or changed; otherwise False at intervals.

        `seen` is the etag of the list that the page shows: changes between the page and its stream are sent at once.
        """
        marker, last_sent = await self._store_marker(), monotonic()
        if seen not in {"", etag(marker)}:
            yield True
        while not self.closing:
            await asyncio.sleep(_ACTIVE_POLL * 2)
            new_marker = await self._store_marker()
            if new_marker != marker or monotonic() - last_sent > _KEEP_ALIVE_SECONDS:
                yield new_marker != marker
                marker, last_sent = new_marker, monotonic()

    async def _store_marker(self) -> object:
        """Return the change marker of the store, read once for all viewers of the list."""
        async with self._marker_lock:
            if monotonic() - self._last_marker[1] > _ACTIVE_POLL:
                self._last_marker = await asyncio.to_thread(self._store.change_marker), monotonic()
            return self._last_marker[0]

    def close(self) -> None:
        """End every stream, because the server stops."""
        self.closing = True
        for follower in self._followers.values():
            follower.wake()

    def _follower(self, stored: StoredRun, since: int) -> RunFollower:
        follower = self._followers.get(stored.number)
        if follower is None:
            follower = self._followers[stored.number] = RunFollower(stored, seen=since, floor=since)
            follower.task = asyncio.create_task(self._poll_until_idle(follower))
        elif follower.stored.run != stored.run:  # it was given another name
            follower.stored, follower.drawn = stored, {}
            if follower.snapshot is not None:
                follower.snapshot = replace(follower.snapshot, stored=stored)
        return follower

    async def _poll_until_idle(self, follower: RunFollower) -> None:
        change_marker: object = None
        try:
            while not self.closing:
                start = monotonic()
                change_marker, changes = await self._poll(follower, change_marker)
                if changes is not None:
                    snapshot, rows, passed_over = changes
                    follower.seen = snapshot.line.progress.serial
                    follower.floor = max(follower.floor, passed_over)
                    follower.take(snapshot, rows)
                is_running = (
                    follower.snapshot is not None and follower.snapshot.line.progress.state == "running"
                )
                await asyncio.sleep(
                    max(_ACTIVE_POLL if is_running else _IDLE_POLL, _PAUSE_FACTOR * (monotonic() - start))
                )
                if not follower.viewers:
                    return
        except RagstoneError:  # viewers see the error when they ask again
            follower.ended = True
        finally:
            self._followers.pop(follower.stored.number, None)
            follower.wake()

    async def _poll(self, follower: RunFollower, last_marker: object) -> "tuple[object, _Changes | None]":
        """Poll the store in a thread; while the database is unavailable, there are no changes."""
        try:
            return await asyncio.to_thread(self._read_changes, follower, last_marker)
        except RagstoneError:
            raise
        except Exception:  # noqa: BLE001  (only the store knows its database's errors; the next poll tries again)
            return None, None

    def _read_changes(self, follower: RunFollower, last_marker: object) -> "tuple[object, _Changes | None]":
        """Return the change marker, and what has changed since the last poll, if anything."""
        change_marker = self._store.change_marker(follower.stored)
        if change_marker == last_marker:
            return change_marker, None
        snapshot = self._figures_cache.of(follower.stored)
        last_serial = snapshot.line.progress.serial
        # A viewer may send any number.
        follower.seen, follower.floor = min(follower.seen, last_serial), min(follower.floor, last_serial)
        if follower.seen < last_serial - _MAX_RESULTS:
            follower.seen = follower.floor = last_serial - _MAX_RESULTS
        return change_marker, (snapshot, *_changed_rows(self._store, follower.stored, follower.seen))


_Changes = tuple[RunSnapshot, list[CaseUpdate], int]
"""A run as it is now, its test cases that have changed, and the highest number of a change that was left out."""


def _changed_rows(store: Store, stored: StoredRun, since: int) -> tuple[list[CaseUpdate], int]:
    """Return the latest `KEPT` test cases that changed after a serial number, and the highest number left out."""
    latest: dict[int, int] = {}
    while (changes := store.changes(stored, since)).lines:
        for line in changes.lines:
            latest.pop(line.case_index, None)
            latest[line.case_index] = line.serial
        since = changes.serial
    indices = [*latest][-KEPT:]
    passed_over = max((latest[index] for index in [*latest][:-KEPT]), default=0)
    table = store.table(stored)
    lines, reasons = table.of(indices), table.reasons(indices)
    updates = {
        line.case_index: CaseUpdate(latest[line.case_index], line, reasons.get(line.case_index, ""))
        for line in lines
    }
    return [updates[index] for index in indices if index in updates], passed_over
