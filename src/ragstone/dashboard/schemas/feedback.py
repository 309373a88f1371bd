"""Request and response models of feedback."""

import re
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ragstone.store.queue.feedback import StoredFeedback

LONGEST_COMMENT, LONGEST_CORRECTION = 4_000, 20_000
_TRACE_ID = re.compile(r"[0-9A-Fa-f]{32}")
_SPAN_ID = re.compile(r"[0-9A-Fa-f]{16}")


class FeedbackIn(BaseModel):
    """Feedback on an answer.

    Attributes:
        trace_id: id of the trace in the application's OpenTelemetry; the trace may arrive later.
        span_id: id of the span.
        session_id: id of the session, instead of a trace or span.
        name: what is judged.
        thumb: up or down.
        score: from 0, the worst, to 1.
        comment: the reason.
        correction: what the answer should have been.
        by: the author, such as the user's id; only a hash is stored.
        id: feedback replaces earlier feedback of the same id. Without an id, it replaces earlier feedback of the same
            `by` on the same target and `name`; without `by` as well, equal feedback counts once.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    trace_id: str = Field("", max_length=64)
    span_id: str = Field("", max_length=64)
    session_id: str = Field("", max_length=500)
    name: str = Field("user_feedback", min_length=1, max_length=100)
    thumb: Literal["up", "down"] | None = None
    score: float | None = Field(None, ge=0, le=1, allow_inf_nan=False)
    comment: str = Field("", max_length=LONGEST_COMMENT)
    correction: str = Field("", max_length=LONGEST_CORRECTION)
    by: str = Field("", max_length=200)
    id: str = Field("", max_length=200)

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.session_id and (self.trace_id or self.span_id):
            raise ValueError("session_id cannot be combined with trace_id or span_id: give one or the other")
        if not (self.session_id or self.trace_id or self.span_id):
            raise ValueError("the target is missing: give trace_id, span_id or session_id")
        if self.thumb is None and self.score is None and not (self.comment or self.correction):
            raise ValueError("the feedback is empty: give thumb, score, comment or correction")
        return self

    @property
    def trace(self) -> str:
        """The trace id as in OTLP: hexadecimal ids in lower case."""
        return self.trace_id.lower() if _TRACE_ID.fullmatch(self.trace_id) else self.trace_id

    @property
    def span(self) -> str:
        """The span id, likewise."""
        return self.span_id.lower() if _SPAN_ID.fullmatch(self.span_id) else self.span_id


class FeedbackKept(BaseModel):
    """The result of storing feedback.

    Attributes:
        id: its id.
        replaced: whether it replaced earlier feedback.
    """

    model_config = ConfigDict(frozen=True)

    id: str
    replaced: bool


class FeedbackOut(BaseModel):
    """Stored feedback.

    Attributes:
        id: its id.
        source: `api`, or `trace` where it arrived with spans.
        trace_id: id of the trace; empty if only a span or a session was named.
        span_id: id of the span; empty if none was named.
        of_session: whether it is about a session.
        name: what was judged.
        thumb: up or down; null where neither was given.
        score: from 0 to 1; null without one.
        label: a word that was given instead.
        comment: the reason; empty if none was given or the text was deleted.
        correction: what the answer should have been, likewise.
        received: when it first came, seconds since 1970.
        updated: when it last changed.
    """

    model_config = ConfigDict(frozen=True)

    id: str
    source: str
    trace_id: str
    span_id: str
    of_session: bool
    name: str
    thumb: str | None
    score: float | None
    label: str
    comment: str
    correction: str
    received: float
    updated: float


def feedback_out(kept: StoredFeedback) -> FeedbackOut:
    """Return stored feedback as an API response."""
    return FeedbackOut(
        id=kept.id,
        source=kept.source,
        trace_id=kept.trace_id,
        span_id=kept.span_id,
        of_session=kept.of_session,
        name=kept.name,
        thumb=kept.thumb or None,
        score=kept.score,
        label=kept.label,
        comment=kept.comment,
        correction=kept.correction,
        received=kept.received,
        updated=kept.updated,
    )
