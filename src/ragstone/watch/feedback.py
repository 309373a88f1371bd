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
    """How often people and the judge of all traces agree on a trace.

    Attributes:
        metric: spec of the judge's metric.
        passed_up: traces that passed and that people liked: thumbs up, or a score of at least 0.5.
        passed_down: traces that passed and that people disliked.
        failed_up: traces that failed and that people liked.
        failed_down: traces that failed and that people disliked.
    """

    metric: str
    passed_up: int
    passed_down: int
    failed_up: int
    failed_down: int


def keep_arrived(queue: TraceQueue, claimed: Sequence[ClaimedUnit], plan: WatchPlan) -> None:
    """Store the feedback that arrived with the spans of claimed traces, replacing what was stored for them before."""
    arrived: dict[str, list[Feedback]] = {}
    for claim in claimed:
        records: dict[str, list[Record]] = {}
        for record in claim.records:
            records.setdefault(record.trace_id, []).append(record)
        for trace, mine in records.items():
            said = [one for one in read_feedback(mine) if one.is_by_people(plan.feedback.names)]
            if said or claim.revision > 1:
                arrived[trace] = [_to_feedback(one, trace, claim.received) for one in said]
    if arrived:
        replace_arrived(queue.engine, arrived)


def _to_feedback(said: SpanFeedback, origin: str, received: float) -> Feedback:
    return Feedback(
        name=said.name,
        trace_id=said.trace_id,
        span_id=said.span_id,
        session=said.session,
        thumb=said.thumb or "",
        score=said.value if said.thumb is None else None,
        label=said.label,
        comment=said.explanation,
        author=said.identifier,
        origin=origin,
        received=received,
    )


def feedback_figures(queue: TraceQueue, plan: WatchPlan, until: float | None = None) -> list[FeedbackFigures]:
    """Return the feedback in the plan's window, which ends now or at `until`, by name.

    Several thumbs on one trace are not independent: the interval takes each trace as one unit.
    """
    end = time.time() + 1 if until is None else until
    every = read_feedback_values(queue.engine, end - plan.window, end)
    return [_figures(name, every) for name in sorted({one.name for one in every})]


def feedback_agreement(
    queue: TraceQueue, plan: WatchPlan, until: float | None = None
) -> list[FeedbackAgreement]:
    """Return how people and the judge of all traces agree on the traces that both rated, by metric."""
    end = time.time() + 1 if until is None else until
    counts: dict[str, dict[tuple[str, bool], int]] = {}
    for metric, status, thumb, score in read_beside_results(queue.engine, plan.name, end - plan.window, end):
        value = feedback_value(thumb, score)
        if value is not None and status in {"PASS", "FAIL"}:
            mine, key = counts.setdefault(metric, {}), (status, value >= _LIKED_THRESHOLD)
            mine[key] = mine.get(key, 0) + 1
    order = (("PASS", True), ("PASS", False), ("FAIL", True), ("FAIL", False))
    return [
        FeedbackAgreement(metric, *(counts[metric].get(key, 0) for key in order)) for metric in sorted(counts)
    ]


def _figures(name: str, every: Sequence[FeedbackValue]) -> FeedbackFigures:
    mine = [one for one in every if one.name == name]
    valued = [(value, one.target) for one in mine if (value := one.value) is not None]
    values, targets = [value for value, _ in valued], [target for _, target in valued]
    clusters = targets if len(set(targets)) < len(targets) else None
    enough = len(set(targets)) >= FEWEST
    return FeedbackFigures(
        name,
        sum(values) / len(values) if values else None,
        mean_interval(values, clusters, bounds=(0.0, 1.0)) if enough else None,
        len(values),
        sum(one.thumb == "up" for one in mine),
        sum(one.thumb == "down" for one in mine),
        len(mine) - len(values),
    )
