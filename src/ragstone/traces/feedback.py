"""Feedback in spans: scores and labels that people or other tools gave to a span, a trace or a session.

OpenInference records it on the span itself (`annotations.*`, `evaluations.*`, with the prefix `trace.` or `session.`
for those targets), or on a separate span with a link to its target. OpenTelemetry has the event
`gen_ai.evaluation.result`. Exports of Langfuse, MLflow and LangSmith are converted to the same form.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ragstone.traces.content import SpanContent, read_content
from ragstone.traces.shapes.values import finite
from ragstone.traces.span import Record, Span, merge_records

Thumb = Literal["up", "down"]

PEOPLE = ("user_feedback", "feedback", "thumbs", "thumb", "user_rating", "rating", "user_score", "csat")
"""Names under which applications record user feedback, used if the annotator kind is not recorded."""

_HUMAN = "HUMAN"
_UP_LABELS = frozenset(
    {"up", "thumbsup", "positive", "good", "like", "liked", "helpful", "+1", "👍", "yes", "true"}
)
_DOWN_LABELS = frozenset(
    {"down", "thumbsdown", "negative", "bad", "dislike", "disliked", "unhelpful", "-1", "👎", "no", "false"}
)
_FEEDBACK_NAME = re.compile(r"(?:trace\.|session\.)?(?:annotations|evaluations)(?:\.|$)")
_EXPORT_ATTRIBUTES = ("langfuse.scores", "mlflow.assessments", "langsmith.feedback_stats")
_TEXT_FIELDS = ("label", "explanation", "annotator_kind", "identifier")
_EVALUATION_EVENT = "gen_ai.evaluation.result"
_SEPARATORS = re.compile(r"[\s_.-]+")


@dataclass(frozen=True, slots=True)
class SpanFeedback:
    """Feedback on a span, a trace or a session.

    Of its target only the trace, the trace and the span, or the session is set. `annotator_kind` is `HUMAN`, `LLM`,
    `CODE` or empty; `identifier` distinguishes several pieces of feedback with the same name and target.
    """

    trace_id: str
    span_id: str
    session: str
    name: str
    score: float | None
    label: str
    explanation: str
    annotator_kind: str
    identifier: str

    @property
    def thumb(self) -> Thumb | None:
        """Whether the label means thumbs up or down; None for any other label."""
        word = _SEPARATORS.sub("", self.label.casefold()) or self.label
        return "up" if word in _UP_LABELS else "down" if word in _DOWN_LABELS else None

    @property
    def value(self) -> float | None:
        """1 for thumbs up, 0 for down; else the score if it is in [0, 1], otherwise None."""
        thumb = self.thumb
        if thumb is not None:
            return float(thumb == "up")
        return self.score if self.score is not None and 0 <= self.score <= 1 else None

    def is_by_people(self, names: Sequence[str] = PEOPLE) -> bool:
        """Return whether a person gave it: by the annotator kind, or by the name if no kind is recorded."""
        if self.annotator_kind:
            return self.annotator_kind.upper() == _HUMAN
        return _normalized_name(self.name) in {_normalized_name(name) for name in names}


def read_feedback(records: Iterable[Record]) -> tuple[SpanFeedback, ...]:
    """Return the feedback in records without duplicates and without ragstone's own scores."""
    feedback: dict[SpanFeedback, None] = {}
    for span in merge_records(records):
        if span.scope != "ragstone" and _may_have_feedback(span):
            content = read_content(span)
            for item in content.feedback:
                feedback |= dict.fromkeys(_with_targets(span, content, item))
    return tuple(feedback)


def _may_have_feedback(span: Span) -> bool:
    """Return whether a span has an attribute or event of feedback. Most have none, and their content is not read."""
    return any(event.name == _EVALUATION_EVENT for event in span.events) or any(
        name in _EXPORT_ATTRIBUTES or _FEEDBACK_NAME.match(name) for name in span.attributes
    )


def _with_targets(span: Span, content: SpanContent, item: Mapping[str, Any]) -> Iterator[SpanFeedback]:
    """Yield the feedback for each target. An evaluation span targets its links, else its parent; others themselves."""
    target = item.get("target")
    targets = [(span.trace_id, span.span_id)]
    if content.kind == "judge":
        parent = [(span.trace_id, span.parent_id)] if span.parent_id else []
        targets = [(link.trace_id, link.span_id) for link in span.links] or parent or targets
    for trace, span_id in targets:
        if target == "session" and content.session:
            yield _feedback(item, ("", "", content.session))
        else:
            yield _feedback(item, (trace, span_id if target == "span" else "", ""))


def _feedback(item: Mapping[str, Any], target_ids: tuple[str, str, str]) -> SpanFeedback:
    texts = [str(item.get(name) or "") for name in _TEXT_FIELDS]
    return SpanFeedback(*target_ids, str(item["name"]), finite(item.get("score")), *texts)


def _normalized_name(name: str) -> str:
    return _SEPARATORS.sub("", name.casefold())
