"""Comparisons in background threads: each is computed once for all requests that wait for it.

Comparisons of ended runs are cached. While a run is active, the last result is reused for at least five seconds, and
for at least as long as it took to compute.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from math import inf
from threading import Lock
from time import monotonic
from typing import Annotated

from fastapi import Depends, Request

from ragstone.dashboard.services.comparison import ComparisonSet, compare_runs
from ragstone.store import Store, StoredRun

_KEPT = 8
"""Comparisons in the cache: some megabytes each at most."""

_AT_ONCE = 2
_PAUSE = 5.0
"""Least number of seconds before the figures of an active run are computed again."""

State = tuple[str, int, str]
"""The fields of a run that show whether it has changed: id, number of its last result, state."""


@dataclass(slots=True, eq=False)
class _Work:
    """A comparison that is being computed or is done.

    Attributes:
        states: states of its runs when it began.
        figures: its result.
        rests: time until which it is reused for active runs, on the clock of `monotonic`.
    """

    states: tuple[State, ...]
    figures: Future[ComparisonSet]
    rests: float = inf

    def serves(self, states: tuple[State, ...]) -> bool:
        """Return whether its result can be used for runs in those states."""
        if self.figures.done() and (self.figures.cancelled() or self.figures.exception()):
            return False
        going = any(state == "running" for _, _, state in states)
        return self.states == states or (going and monotonic() < self.rests)


class Comparisons:
    """The comparisons of one application."""

    def __init__(self, store: Store) -> None:
        """Compare runs of `store`."""
        self._store = store
        self._lock = Lock()
        self._kept = OrderedDict[tuple[str, ...], _Work]()
        self._workers = ThreadPoolExecutor(_AT_ONCE, "comparison")

    def ask(self, runs: Sequence[StoredRun]) -> Future[ComparisonSet]:
        """Return the comparison of the first run with each of the others: a cached or pending one, or a new one."""
        states = tuple(
            (stored.run.id, self._store.change_marker(stored).serial, stored.state) for stored in runs
        )
        ids = tuple(run for run, _, _ in states)
        with self._lock:
            work = self._kept.get(ids)
            if work is None or not work.serves(states):
                work = self._kept[ids] = self._begin(ids, states)
            self._kept.move_to_end(ids)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
            return work.figures

    def _begin(self, ids: tuple[str, ...], states: tuple[State, ...]) -> _Work:
        begun = monotonic()
        work = _Work(states, self._workers.submit(compare_runs, self._store, ids))

        def rest(_: Future[ComparisonSet]) -> None:
            ended = monotonic()
            work.rests = ended + max(_PAUSE, ended - begun)

        work.figures.add_done_callback(rest)
        return work


async def finished(figures: Future[ComparisonSet]) -> ComparisonSet:
    """Return a comparison, without a timeout."""
    return (await _awaited(figures, None)).result()


async def settled(figures: Future[ComparisonSet], seconds: float) -> ComparisonSet | None:
    """Return a comparison; None if it takes longer than `seconds`."""
    awaited = await _awaited(figures, seconds)
    return awaited.result() if awaited.done() else None


async def _awaited(figures: Future[ComparisonSet], seconds: float | None) -> asyncio.Future[ComparisonSet]:
    """Wait without a thread; a client that disconnects does not stop the job."""
    awaited = asyncio.wrap_future(figures)
    awaited.add_done_callback(
        lambda ended: ended.cancelled() or ended.exception()
    )  # also without a waiting request
    await asyncio.wait({awaited}, timeout=seconds)
    return awaited


def _comparisons(request: Request) -> Comparisons:
    return request.app.state.comparisons


ComparisonsDep = Annotated[Comparisons, Depends(_comparisons)]
"""Dependency that gives a route the comparisons of its application."""
