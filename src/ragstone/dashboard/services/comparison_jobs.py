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

_MAX_CACHED_COMPARISONS = 8
"""Comparisons in the cache: some megabytes each at most."""

_WORKER_COUNT = 2
_MIN_REUSE_SECONDS = 5.0
"""Least number of seconds before the figures of an active run are computed again."""

State = tuple[str, int, str]
"""The fields of a run that show whether it has changed: id, number of its last result, state."""


@dataclass(slots=True, eq=False)
class _Job:
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
        is_active = any(state == "running" for _, _, state in states)
        return self.states == states or (is_active and monotonic() < self.rests)


class Comparisons:
    """The comparisons of one application."""

    def __init__(self, store: Store) -> None:
        """Compare runs of `store`."""
        self._store = store
        self._lock = Lock()
        self._jobs = OrderedDict[tuple[str, ...], _Job]()
        self._pool = ThreadPoolExecutor(_WORKER_COUNT, "comparison")

    def ask(self, runs: Sequence[StoredRun]) -> Future[ComparisonSet]:
        """Return the comparison of the first run with each of the others: a cached or pending one, or a new one."""
        states = tuple(
            (stored.run.id, self._store.change_marker(stored).serial, stored.state) for stored in runs
        )
        ids = tuple(run for run, _, _ in states)
        with self._lock:
            job = self._jobs.get(ids)
            if job is None or not job.serves(states):
                job = self._jobs[ids] = self._start_job(ids, states)
            self._jobs.move_to_end(ids)
            while len(self._jobs) > _MAX_CACHED_COMPARISONS:
                self._jobs.popitem(last=False)
            return job.figures

    def _start_job(self, ids: tuple[str, ...], states: tuple[State, ...]) -> _Job:
        start = monotonic()
        job = _Job(states, self._pool.submit(compare_runs, self._store, ids))

        def set_reuse_limit(_: Future[ComparisonSet]) -> None:
            end = monotonic()
            job.rests = end + max(_MIN_REUSE_SECONDS, end - start)

        job.figures.add_done_callback(set_reuse_limit)
        return job


async def finished(figures: Future[ComparisonSet]) -> ComparisonSet:
    """Return a comparison, without a timeout."""
    return (await _wait_for(figures, None)).result()


async def settled(figures: Future[ComparisonSet], seconds: float) -> ComparisonSet | None:
    """Return a comparison; None if it takes longer than `seconds`."""
    future = await _wait_for(figures, seconds)
    return future.result() if future.done() else None


async def _wait_for(figures: Future[ComparisonSet], seconds: float | None) -> asyncio.Future[ComparisonSet]:
    """Wait without a thread; a client that disconnects does not stop the job."""
    future = asyncio.wrap_future(figures)
    future.add_done_callback(
        lambda ended: ended.cancelled() or ended.exception()
    )  # also without a waiting request
    await asyncio.wait({future}, timeout=seconds)
    return future


def _comparisons(request: Request) -> Comparisons:
    return request.app.state.comparisons


ComparisonsDep = Annotated[Comparisons, Depends(_comparisons)]
"""Dependency that gives a route the comparisons of its application."""
