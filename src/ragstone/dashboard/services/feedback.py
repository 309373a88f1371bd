"""Accept feedback of users, by the same rules on the port of the pages and on that of the trace receiver."""

import re
from typing import Literal, Self

from pydantic import BaseModel, Field, model_validator

from ragstone.store.queue.feedback import Feedback, put_feedback
from ragstone.store.queue.trace_queue import TraceQueue
from ragstone.traces.redaction import Redaction


class FeedbackIn(BaseModel, frozen=True, extra="forbid"):
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

    trace_id: str = Field("", max_length=64)
    span_id: str = Field("", max_length=64)
    session_id: str = Field("", max_length=500)
    name: str = Field("user_feedback", min_length=1, max_length=100)
    thumb: Literal["up", "down"] | None = None
    score: float | None = Field(None, ge=0, le=1, allow_inf_nan=False)
    comment: str = Field("", max_length=4_000)
    correction: str = Field("", max_length=20_000)
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


class FeedbackKept(BaseModel, frozen=True):
    """The result of storing feedback: its id, and whether it replaced earlier feedback."""

    id: str
    replaced: bool


class FeedbackIntake:
    """Stores feedback. Its method blocks, and may be called from several threads."""

    def __init__(self, queue: TraceQueue, redaction: Redaction) -> None:
        """Store in the database of `queue`; comments and corrections are redacted by `redaction`."""
        self._queue = queue
        self._redact = redaction.text

    def keep(self, said: FeedbackIn) -> FeedbackKept:
        """Store feedback; it replaces earlier feedback of the same id."""
        feedback = Feedback(
            name=said.name,
            trace_id=_as_in_otlp(said.trace_id, 32),
            span_id=_as_in_otlp(said.span_id, 16),
            session=said.session_id,
            thumb=said.thumb or "",
            score=said.score,
            comment=self._redact(said.comment),
            correction=self._redact(said.correction),
            author=said.by,
            id=said.id,
        )
        return FeedbackKept(id=feedback.known_by, replaced=put_feedback(self._queue.engine, feedback))


def _as_in_otlp(key: str, digits: int) -> str:
    """Return an id; hexadecimal ones of that length in lower case."""
    return key.lower() if re.fullmatch(rf"[0-9A-Fa-f]{{{digits}}}", key) else key
