"""Request and response models of feedback."""

import re
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

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
