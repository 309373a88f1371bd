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
    sent = [
        FeedbackRow(
            item.name,
            "people",
            "session" if item.of_session else f"span {item.span_id[:8]}" if item.span_id else "trace",
            item.thumb,
            item.score,
            item.label,
            item.comment,
            item.correction,
            item.received,
        )
        for item in feedback_on(queue.engine, trace.trace_id, spans)
        if item.origin != trace.trace_id
    ]
    return [
        *sent,
        *(
            _span_feedback_row(item)
            for item in read_feedback(trace.records)
            if item.trace_id in ("", trace.trace_id)
        ),
    ]


def _span_feedback_row(item: SpanFeedback) -> FeedbackRow:
    target = "session" if item.session else f"span {item.span_id[:8]}" if item.span_id else "trace"
    by = "people" if item.is_by_people() else item.annotator_kind or "unknown"
    return FeedbackRow(
        item.name, by, target, item.thumb or "", item.score, item.label, item.explanation, "", None
    )
