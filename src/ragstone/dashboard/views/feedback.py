"""Feedback on the page of a trace: feedback that was sent on its own, and feedback that arrived with spans."""

from dataclasses import dataclass

from ragstone.store.queue.feedback import feedback_on
from ragstone.store.queue.overview import StoredTrace
from ragstone.store.queue.trace_queue import TraceQueue
from ragstone.traces.feedback import SpanFeedback, read_feedback


@dataclass(frozen=True, slots=True)
class FeedbackRow:
    """A piece of feedback as a row of the page.

    Attributes:
        name: what was judged.
        by: `people`, or `LLM` or `CODE` where another tool evaluated.
        of: the trace, a span, or the session.
        thumb: `up` or `down`; empty where neither was given.
        score: the number that was given.
        label: a word that was given instead.
        comment: the reason.
        correction: what the answer should have been.
        at: time of receipt, seconds since 1970; None for feedback that came with spans.
    """

    name: str
    by: str
    of: str
    thumb: str
    score: float | None
    label: str
    comment: str
    correction: str
    at: float | None


def trace_feedback(queue: TraceQueue, trace: StoredTrace) -> list[FeedbackRow]:
    """Return the feedback on a trace, its spans and session: separately sent first, the latest first, then the rest."""
    spans = {record.span_id for record in trace.records}
    kept = [
        FeedbackRow(
            one.name,
            "people",
            "session" if one.of_session else f"span {one.span_id[:8]}" if one.span_id else "trace",
            one.thumb,
            one.score,
            one.label,
            one.comment,
            one.correction,
            one.received,
        )
        for one in feedback_on(queue.engine, trace.trace_id, spans)
        if one.origin != trace.trace_id
    ]
    return [
        *kept,
        *(_arrived(one) for one in read_feedback(trace.records) if one.trace_id in ("", trace.trace_id)),
    ]


def _arrived(one: SpanFeedback) -> FeedbackRow:
    place = "session" if one.session else f"span {one.span_id[:8]}" if one.span_id else "trace"
    by = "people" if one.is_by_people() else one.annotator_kind or "unknown"
    return FeedbackRow(one.name, by, place, one.thumb or "", one.score, one.label, one.explanation, "", None)
