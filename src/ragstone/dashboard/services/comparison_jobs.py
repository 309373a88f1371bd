"""Comparisons and diagnoses in background threads: each is computed once for all requests that wait for it.

Results on ended runs are cached. While a run is active, the last result is reused for at least five seconds, and
for at least as long as it took to compute.
"""

import asyncio
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from math import inf
from threading import Lock
from time import monotonic
from typing import Annotated, Generic, TypeVar

from fastapi import Depends, Request

from ragstone.dashboard.services.comparison import ComparisonSet, RunChange, change_of, compare_runs
from ragstone.errors import RagstoneError
from ragstone.store import ChangeMarker, RunLine, Store, StoredRun

_MAX_CACHED_COMPARISONS = 8
"""Comparisons in the cache: some megabytes each at most."""

_WORKER_COUNT = 2
_MIN_REUSE_SECONDS = 5.0
"""Least number of seconds before the figures of an active run are computed again."""

_MAX_CACHED_CHANGES = 1_000
"""Changes in the cache: a sentence each."""

_MAX_CACHED_PAGES = 32
"""Pages *Why* in the cache: some ten kilobytes each."""

T = TypeVar("T")
State = tuple[str, Hashable, str]
"""The fields of a run that show whether it has changed: id, what its change marker says, state."""


@dataclass(slots=True, eq=False)
class _Job(Generic[T]):
    """A comparison that is being computed or is done.

    Attributes:
        states: states of its runs when it began.
        figures: its result.
        rests: time until which it is reused for active runs, on the clock of `monotonic`.
    """

    states: tuple[State, ...]
    figures: Future[T]
    rests: float = inf

    def serves(self, states: tuple[State, ...]) -> bool:
        """Return whether its result can be used for runs in those states."""
        if self.figures.done() and (self.figures.cancelled() or self.figures.exception()):
            return False
        is_active = any(state == "running" for _, _, state in states)
        return self.states == states or (is_active and monotonic() < self.rests)


class _Jobs(ABC, Generic[T]):
    """What is computed from several runs, by the ids of the runs."""

    def __init__(self, store: Store, *, most: int, workers: int) -> None:
        """Compute from runs of `store` in threads; keep the `most` latest results."""
        self._store = store
        self._most = most
        self._lock = Lock()
        self._jobs = OrderedDict[tuple[str, ...], _Job[T]]()
        self._pool = ThreadPoolExecutor(workers, "comparison")

    @abstractmethod
    def _work(self, ids: tuple[str, ...]) -> T:
        """Compute the result of the runs with these ids."""

    def _moment(self, marker: ChangeMarker) -> Hashable:
        """Return the part of a run's change marker on which the result depends: the number of its last result."""
        return marker.serial

    def ask(self, runs: Sequence[StoredRun]) -> Future[T]:
        """Return the comparison of the first run with each of the others: a cached or pending one, or a new one."""
        states = tuple(
            (stored.run.id, self._moment(self._store.change_marker(stored)), stored.state) for stored in runs
        )
        ids = tuple(run for run, _, _ in states)
        with self._lock:
            job = self._jobs.get(ids)
            if job is None or not job.serves(states):
                job = self._jobs[ids] = self._start_job(ids, states)
            self._jobs.move_to_end(ids)
            while len(self._jobs) > self._most:
                self._jobs.popitem(last=False)
            return job.figures

    def _start_job(self, ids: tuple[str, ...], states: tuple[State, ...]) -> _Job[T]:
        start = monotonic()
        job = _Job(states, self._pool.submit(self._work, ids))

        def set_reuse_limit(_: Future[T]) -> None:
            end = monotonic()
            job.rests = end + max(_MIN_REUSE_SECONDS, end - start)

        job.figures.add_done_callback(set_reuse_limit)
        return job


class Comparisons(_Jobs[ComparisonSet]):
    """The comparisons of one application."""

    def __init__(self, store: Store) -> None:
        """Compare runs of `store`."""
        super().__init__(store, most=_MAX_CACHED_COMPARISONS, workers=_WORKER_COUNT)

    def _work(self, ids: tuple[str, ...]) -> ComparisonSet:
        return compare_runs(self._store, ids)


class RunChanges(_Jobs[RunChange]):
    """How each run changed against its baseline, as one sentence."""

    def __init__(self, store: Store) -> None:
        """Compare runs of `store`."""
        super().__init__(store, most=_MAX_CACHED_CHANGES, workers=1)
        self._kept: dict[str, tuple[object, RunChange | None]] = {}

    def _work(self, ids: tuple[str, ...]) -> RunChange:
        return change_of(self._store, ids)

    def at_once(self, runs: Sequence[StoredRun], seconds: float) -> RunChange | None:
        """Return the change of the second run against the first; None if it takes longer, or cannot be computed."""
        try:
            return self.ask(runs).result(seconds)
        except (TimeoutError, RagstoneError):
            return None

    def of_list(self, lines: Sequence[RunLine]) -> dict[str, RunChange | None]:
        """Return the changes that `remember` kept of the runs of a list, by id: None where a run has no baseline."""
        state = self._state()
        with self._lock:
            kept = {line.id: self._kept[line.id] for line in lines if line.id in self._kept}
        return {run: change for run, (then, change) in kept.items() if then == state}

    def remember(self, run: str, change: RunChange | None) -> None:
        """Keep the change of an ended run for lists of runs, until a run is added or `main` is another one."""
        state = self._state()
        with self._lock:
            self._kept[run] = state, change
            while len(self._kept) > self._most:
                self._kept.pop(next(iter(self._kept)))

    def _state(self) -> object:
        return self._store.change_marker().runs, self._store.baselines.all()


class WhyPages(_Jobs[tuple[str, str]]):
    """The body of the page *Why* of each run, for readers and for those who annotate: it is small, found in seconds."""

    def __init__(self, store: Store, draw: Callable[[Store, str], tuple[str, str]]) -> None:
        """Draw pages of runs of `store` by their ids."""
        super().__init__(store, most=_MAX_CACHED_PAGES, workers=1)
        self._draw = draw

    def _moment(self, marker: ChangeMarker) -> Hashable:
        return marker  # people's annotations correct the shares

    def _work(self, ids: tuple[str, ...]) -> tuple[str, str]:
        return self._draw(self._store, ids[0])


async def finished(figures: Future[T]) -> T:
    """Return a comparison, without a timeout."""
    return (await _wait_for(figures, None)).result()


async def settled(figures: Future[T], seconds: float) -> T | None:
    """Return a comparison; None if it takes longer than `seconds`."""
    future = await _wait_for(figures, seconds)
    return future.result() if future.done() else None


async def _wait_for(figures: Future[T], seconds: float | None) -> asyncio.Future[T]:
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


def _run_changes(request: Request) -> RunChanges:
    return request.app.state.run_changes


RunChangesDep = Annotated[RunChanges, Depends(_run_changes)]
"""Dependency that gives a route the changes of runs of its application."""


def _why_pages(request: Request) -> WhyPages:
    return request.app.state.why_pages


WhyPagesDep = Annotated[WhyPages, Depends(_why_pages)]
"""Dependency that gives a route the pages *Why* of its application."""
