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
from ragstone.watch.anchor import read_judge_checks
from ragstone.watch.drift import QuestionDrift, read_drift
from ragstone.watch.feedback import FeedbackFigures, feedback_figures
from ragstone.watch.judge_check import JudgeCheck
from ragstone.watch.plan import WatchPlan
from ragstone.watch.window import FEWEST, WindowFigures, window_figures

_MAX_WINDOWS = 14
_MAX_SLOTS, _FINE_SLOTS = 28, 24
_MAX_WORST, _MAX_DRAWN = 12, 8


@dataclass(frozen=True, slots=True)
class HistoryPoint:
    """Figures of a metric in the time slot that starts at `start`, seconds since 1970.

    `mean` is None without a score; `interval` is for the mean of traces like these, None with too few scores.
    """

    start: float
    mean: float | None
    interval: Interval | None
    n: int


@dataclass(frozen=True, slots=True)
class WatchOverview:
    """State of a watch at one moment.

    Attributes:
        figures: figures of the window, one entry per metric.
        slot: length of a slot of the history, in seconds.
        history: metric → its slots, the earliest first.
        releases: release → time of its first trace, seconds since 1970.
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
    states = (read_alarms(plan.alarm, read_state(queue.engine, plan.name)) for plan in watch_plans(queue))
    return sum(state.status == ALARM for several in states for state in several)


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
    engine, begin = queue.engine, end - plan.window
    first = read_first(engine, name)
    since, slot = _slots(plan.window, end, end if first is None else first)
    return WatchOverview(
        plan,
        queue.counts(),
        tuple(window_figures(queue, plan, end)),
        slot,
        _history(read_slots(engine, name, since, end, slot), since, end, slot),
        tuple(read_releases(engine, name, since)),
        tuple(read_alarms(plan.alarm, read_state(engine, name))),
        tuple(read_worst(engine, name, begin, _MAX_WORST, worst_of)),
        tuple(read_drawn(engine, name, begin, _MAX_DRAWN)),
        tuple(read_people_queues(engine, name, begin)),
        read_troubles(queue, name),
    )


def read_troubles(queue: TraceQueue, name: str, now: float | None = None) -> tuple[str, ...]:
    """Return what fails in the processes of a watch, and which of them have ended without saying so."""
    moment = time.time() if now is None else now
    troubles: list[str] = []
    for process in read_health(queue.engine, name):
        if process.is_silent(moment):
            seen = f"{datetime.fromtimestamp(process.seen, UTC):%d %b %H:%M:%S} UTC"
            troubles.append(f"process {process.name} has given no sign of life since {seen}")
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


@dataclass(frozen=True, slots=True)
class WatchFigures:
    """The figures of a watch.

    Attributes:
        name: of the watch.
        window: seconds that the figures look back.
        queue: counts of its queue.
        metrics: each metric in the window.
        alarms: the alarms.
        feedback: the feedback of users.
        judges: those that are checked against people's labels; none without an anchor set, or before a check.
        drift: of users' questions; null where it is not checked, or before the first check.
        troubles: what fails in the processes of the watch, a sentence each.
    """

    name: str
    window: float
    queue: QueueCounts
    metrics: tuple[WindowFigures, ...]
    alarms: tuple[AlarmState, ...]
    feedback: tuple[FeedbackFigures, ...]
    judges: tuple[JudgeCheck, ...]
    drift: QuestionDrift | None
    troubles: tuple[str, ...]


def watch_figures(queue: TraceQueue, name: str) -> WatchFigures:
    """Return the figures of a watch. Raises NotInStore: no watch of that name has been started."""
    overview = watch_overview(queue, name)
    plan, feedback = overview.plan, tuple(feedback_figures(queue, overview.plan))
    judged = (overview.counts, overview.figures, overview.alarms)
    checks = (tuple(read_judge_checks(queue, plan)), read_drift(queue, plan))
    return WatchFigures(plan.name, plan.window, *judged, feedback, *checks, overview.troubles)
