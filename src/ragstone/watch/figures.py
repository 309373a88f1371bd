"""The figures of a watch as scripts get them: from the API of the page, and from `ragstone watch --once --json`."""

from dataclasses import dataclass

from ragstone.store.queue.trace_queue import QueueCounts, TraceQueue
from ragstone.watch.alarms import AlarmState
from ragstone.watch.anchor import read_judge_checks
from ragstone.watch.drift import QuestionDrift, read_drift
from ragstone.watch.feedback import FeedbackFigures, feedback_figures
from ragstone.watch.judge_check import JudgeCheck
from ragstone.watch.overview import watch_overview
from ragstone.watch.window import WindowFigures


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
    """Return the figures of a watch.

    Raises:
        NotInStore: no watch of that name has been started.
    """
    overview = watch_overview(queue, name)
    return WatchFigures(
        overview.plan.name,
        overview.plan.window,
        overview.counts,
        overview.figures,
        overview.alarms,
        tuple(feedback_figures(queue, overview.plan)),
        tuple(read_judge_checks(queue, overview.plan)),
        read_drift(queue, overview.plan),
        overview.troubles,
    )
