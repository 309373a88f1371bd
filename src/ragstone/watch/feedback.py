"""Human feedback on traces: stored as it arrives with spans, and counted in a window beside the judge's verdicts.

People choose whether to give feedback, and angry users do so more often. A share of thumbs up therefore describes only
those who gave feedback; it is never an estimate for all traces.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.stats.interval import Interval, mean_interval
from ragstone.store.queue.claims import ClaimedUnit
from ragstone.store.queue.feedback import (
    Feedback,
    FeedbackValue,
    feedback_value,
    read_beside_results,
    read_feedback_values,
    replace_arrived,
)
from ragstone.store.queue.trace_queue import TraceQueue
from ragstone.traces.feedback import SpanFeedback, read_feedback
from ragstone.traces.span import Record
from ragstone.watch.plan import WatchPlan
from ragstone.watch.window import FEWEST

_LIKED_THRESHOLD = 0.5


@dataclass(frozen=True, slots=True)
class FeedbackFigures:
    """Feedback under one name in a window.

    Attributes:
        name: name of the feedback, such as `user_feedback`.
        mean: mean of thumbs (up is 1, down is 0) and scores; None without any.
        interval: interval for the mean of feedback like this; None with too little feedback.
        n: number of thumbs and scores.
        up: thumbs up.
        down: thumbs down.
        comments: feedback without a thumb or a score.
    """

    name: str
    mean: float | None
    interval: Interval | None
    n: int
    up: int
    down: int
    comments: int


@dataclass(frozen=True, slots=True)
class FeedbackAgreement:
    """How many traces passed or missed by the judge of all traces, and were liked or not by people.

    They liked a trace with thumbs up, or a score of at least 0.5.
    """

    metric: str
    passed_up: int
    passed_down: int
    missed_up: int
    missed_down: int


def keep_arrived(queue: TraceQueue, claimed: Sequence[ClaimedUnit], plan: WatchPlan) -> None:
    """Store the feedback that arrived with the spans of claimed traces, replacing what was stored for them before."""
    arrived: dict[str, list[Feedback]] = {}
    for claim in claimed:
        records: dict[str, list[Record]] = {}
        for record in claim.records:
            records.setdefault(record.trace_id, []).append(record)
        for trace, trace_records in records.items():
            items = [item for item in read_feedback(trace_records) if item.is_by_people(plan.feedback.names)]
            if items or claim.revision > 1:
                arrived[trace] = [_to_feedback(item, trace, claim.received) for item in items]
    if arrived:
        replace_arrived(queue.engine, arrived)


def _to_feedback(item: SpanFeedback, origin: str, received: float) -> Feedback:
    return Feedback(
        name=item.name,
        trace_id=item.trace_id,
        span_id=item.span_id,
        session=item.session,
        thumb=item.thumb or "",
        score=item.value if item.thumb is None else None,
        label=item.label,
        comment=item.explanation,
        author=item.identifier,
        origin=origin,
        received=received,
    )


def feedback_figures(queue: TraceQueue, plan: WatchPlan, until: float | None = None) -> list[FeedbackFigures]:
    """Return the feedback in the plan's window, which ends now or at `until`, by name.

    Several thumbs on one trace are not independent: the interval takes each trace as one unit.
    """
    end = time.time() + 1 if until is None else until
    values = read_feedback_values(queue.engine, end - plan.window, end)
    return [_figures(name, values) for name in sorted({value.name for value in values})]


def feedback_agreement(
    queue: TraceQueue, plan: WatchPlan, until: float | None = None
) -> list[FeedbackAgreement]:
    """Return how people and the judge of all traces agree on the traces that both rated, by metric."""
    end = time.time() + 1 if until is None else until
    counts: dict[str, dict[tuple[str, bool], int]] = {}
    for metric, status, thumb, score in read_beside_results(queue.engine, plan.name, end - plan.window, end):
        value = feedback_value(thumb, score)
        if value is not None and status in {"passed", "missed"}:
            metric_counts, key = counts.setdefault(metric, {}), (status, value >= _LIKED_THRESHOLD)
            metric_counts[key] = metric_counts.get(key, 0) + 1
    order = (("passed", True), ("passed", False), ("missed", True), ("missed", False))
    return [
        FeedbackAgreement(metric, *(counts[metric].get(key, 0) for key in order)) for metric in sorted(counts)
    ]


def _figures(name: str, all_values: Sequence[FeedbackValue]) -> FeedbackFigures:
    named = [item for item in all_values if item.name == name]
    valued = [(value, item.target) for item in named if (value := item.value) is not None]
    values, targets = [value for value, _ in valued], [target for _, target in valued]
    clusters = targets if len(set(targets)) < len(targets) else None
    enough = len(set(targets)) >= FEWEST
    return FeedbackFigures(
        name,
        sum(values) / len(values) if values else None,
        mean_interval(values, clusters, bounds=(0.0, 1.0)) if enough else None,
        len(values),
        sum(item.thumb == "up" for item in named),
        sum(item.thumb == "down" for item in named),
        len(named) - len(values),
    )
