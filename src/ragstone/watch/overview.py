"""State of a watch at one moment: figures, history, alarms, the worst and the drawn traces."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from ragstone.errors import NotInStore
from ragstone.stats.interval import Interval, interval_from
from ragstone.store.queue.overview import (
    JudgedPlace,
    SlotSums,
    read_drawn,
    read_first,
    read_releases,
    read_slots,
    read_worst,
)
from ragstone.store.queue.scores import PeopleQueue, read_people_queues
from ragstone.store.queue.settlement import read_state
from ragstone.store.queue.trace_queue import QueueCounts, TraceQueue
from ragstone.store.queue.watch_state import read_health, read_plans
from ragstone.watch.alarms import ALARM, AlarmState, read_alarms
from ragstone.watch.plan import WatchPlan
from ragstone.watch.window import FEWEST, WindowFigures, window_figures

_MAX_WINDOWS = 14
_MAX_SLOTS, _FINE_SLOTS = 28, 24
_MAX_WORST, _MAX_DRAWN = 12, 8


@dataclass(frozen=True, slots=True)
class HistoryPoint:
    """Figures of a metric in one time slot.

    Attributes:
        start: start of the slot, seconds since 1970.
        mean: mean score; None without a score.
        interval: interval for the mean of traces like these; None with too few scores.
        n: number of scores.
    """

    start: float
    mean: float | None
    interval: Interval | None
    n: int


@dataclass(frozen=True, slots=True)
class WatchOverview:
    """State of a watch at one moment.

    Attributes:
        plan: plan of the watch.
        counts: counts of its queue.
        figures: figures of the window, one entry per metric.
        slot: length of a slot of the history, in seconds.
        history: metric → its slots, the earliest first.
        releases: release → time of its first trace, seconds since 1970.
        alarms: the alarms.
        worst: traces of the window on the wrong side of a threshold, the worst first.
        drawn: traces of the window that the judge of the sample judged, the latest first.
        people: runs with test cases of the window that people are asked to judge, the latest first.
        troubles: what fails in the processes of the watch, a sentence each.
    """

    plan: WatchPlan
    counts: QueueCounts
    figures: tuple[WindowFigures, ...]
    slot: float
    history: dict[str, tuple[HistoryPoint, ...]]
    releases: tuple[tuple[str, float], ...]
    alarms: tuple[AlarmState, ...]
    worst: tuple[JudgedPlace, ...]
    drawn: tuple[JudgedPlace, ...]
    people: tuple[PeopleQueue, ...] = ()
    troubles: tuple[str, ...] = ()


def watch_names(queue: TraceQueue) -> list[str]:
    """Return the names of the watches of a store, the latest first."""
    return list(read_plans(queue.engine))


def watch_plans(queue: TraceQueue) -> list[WatchPlan]:
    """Return the plans of the watches of a store, the latest first."""
    return [WatchPlan.model_validate_json(plan) for plan in read_plans(queue.engine).values()]


def alarm_count(queue: TraceQueue) -> int:
    """Return how many alarms of the watches of a store are on."""
    states = [
        state
        for plan in watch_plans(queue)
        for state in read_alarms(plan.alarm, read_state(queue.engine, plan.name))
    ]
    return sum(state.status == ALARM for state in states)


def watch_overview(
    queue: TraceQueue, name: str, now: float | None = None, worst_of: str = ""
) -> WatchOverview:
    """Return the state of a watch at `now`, seconds since 1970.

    `worst_of` is the metric, without options, whose worst traces are read; empty for all.

    Raises:
        NotInStore: no watch of that name has been started.
    """
    stored_plan = read_plans(queue.engine).get(name)
    if stored_plan is None:
        raise NotInStore(
            f"There is no watch {name!r} in {queue.where}: start one with `ragstone watch watch.toml`."
        )
    plan, end = WatchPlan.model_validate_json(stored_plan), time.time() + 1 if now is None else now
    first = read_first(queue.engine, name)
    since, slot = _slots(plan.window, end, end if first is None else first)
    releases = read_releases(queue.engine, name, since)
    return WatchOverview(
        plan,
        queue.counts(),
        tuple(window_figures(queue, plan, end)),
        slot,
        _history(read_slots(queue.engine, name, since, end, slot), since, end, slot),
        tuple(releases),
        tuple(read_alarms(plan.alarm, read_state(queue.engine, name))),
        tuple(read_worst(queue.engine, name, end - plan.window, _MAX_WORST, worst_of)),
        tuple(read_drawn(queue.engine, name, end - plan.window, _MAX_DRAWN)),
        tuple(read_people_queues(queue.engine, name, end - plan.window)),
        read_troubles(queue, name),
    )


def read_troubles(queue: TraceQueue, name: str, now: float | None = None) -> tuple[str, ...]:
    """Return what fails in the processes of a watch, and which of them have ended without saying so."""
    moment = time.time() if now is None else now
    troubles: list[str] = []
    for process in read_health(queue.engine, name):
        if process.is_silent(moment):
            seen = datetime.fromtimestamp(process.seen, UTC)
            troubles.append(
                f"process {process.name} has given no sign of life since {seen:%d %b %H:%M:%S} UTC"
            )
        troubles += [f"process {process.name}: {line}" for line in process.failing.values()]
    return tuple(troubles)


def _slots(window: float, end: float, first: float) -> tuple[float, float]:
    """Return the start of the history and the length of its slots: a window, or a part of one."""
    length = min(max(end - first, 1.0), _MAX_WINDOWS * window)
    slot = next(size for size in (window / _FINE_SLOTS, window / 4, window) if length / size <= _MAX_SLOTS)
    count = max(1, -(-length // slot))
    return end - count * slot, slot


def _history(
    sums: Sequence[SlotSums], since: float, end: float, slot: float
) -> dict[str, tuple[HistoryPoint, ...]]:
    last = max(0, round((end - since) / slot) - 1)
    history: dict[str, list[HistoryPoint]] = {}
    for item in sums:
        interval = interval_from(item.n, item.mean, item.deviation) if item.n >= FEWEST else None
        start = since + min(item.slot, last) * slot
        history.setdefault(item.metric, []).append(HistoryPoint(start, item.mean, interval, item.n))
    return {metric: tuple(points) for metric, points in history.items()}
