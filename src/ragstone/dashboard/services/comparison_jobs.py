"""Comparisons and diagnoses in background threads: each is computed once for all requests that wait for it.

Results on ended runs are cached. While a run is active, the last result is reused for at least five seconds, and
for at least as long as it took to compute.
"""

import asyncio
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Hashable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from math import inf
from threading import Lock
from time import monotonic
from typing import Generic, TypeVar

from ragstone.dashboard.services.comparison import ComparisonSet, RunChange, change_of, compare_runs
from ragstone.dashboard.views.why import page_texts
from ragstone.errors import RagstoneError
from ragstone.store import ChangeMarker, RunLine, Store, StoredRun

MAX_WAIT_SECONDS = 20.0  # after which a page asks again, so that no proxy cuts the request off
_MIN_REUSE_SECONDS = 5.0  # least number of seconds before the figures of an active run are computed again
T = TypeVar("T")
State = tuple[str, Hashable, str]  # id, what the change marker of the run says, state


@dataclass(slots=True, eq=False)
class _Job(Generic[T]):
    """A result that is computed or being computed; active runs reuse it until `rests`, on the clock of `monotonic`."""

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
    """What is computed from several runs, by the ids of the runs; the latest results are kept."""

    _MOST: int
    _WORKERS = 1

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = Lock()
        self._jobs = OrderedDict[tuple[str, ...], _Job[T]]()
        self._pool = ThreadPoolExecutor(self._WORKERS, "comparison")

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
            while len(self._jobs) > self._MOST:
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
    """The comparisons of one application: some megabytes each at most."""

    _MOST, _WORKERS = 8, 2

    def _work(self, ids: tuple[str, ...]) -> ComparisonSet:
        return compare_runs(self._store, ids)


class RunChanges(_Jobs[RunChange]):
    """How each run changed against its baseline, as one sentence."""

    _MOST = 1_000

    def __init__(self, store: Store) -> None:
        super().__init__(store)
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
            while len(self._kept) > self._MOST:
                self._kept.pop(next(iter(self._kept)))

    def _state(self) -> object:
        return self._store.change_marker().runs, self._store.baselines.all()


class WhyPages(_Jobs[tuple[str, str]]):
    """The body of the page *Why* of each run, for readers and for those who annotate: small, but found in seconds."""

    _MOST = 32

    def _moment(self, marker: ChangeMarker) -> Hashable:
        return marker  # people's annotations correct the shares

    def _work(self, ids: tuple[str, ...]) -> tuple[str, str]:
        return page_texts(self._store, ids[0])


async def finished(figures: Future[T]) -> T:
    """Return a result, without a timeout."""
    return (await _wait_for(figures, None)).result()


async def settled(figures: Future[T], seconds: float) -> T | None:
    """Return a result; None if it takes longer than `seconds`."""
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
