"""A span of a trace as it was recorded: one immutable class for every source.

This module does not interpret attributes. `ragstone.traces.content` reads models, retrievers and tools from them.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any, Self, cast

Attributes = Mapping[str, Any]
"""Name → a text, number, bool, None, or lists and mappings of those."""


@dataclass(frozen=True, slots=True)
class SpanEvent:
    """An event during a span: an event of the span, or a log record that names it.

    Attributes:
        name: the event's name, such as `gen_ai.choice`.
        time_ns: nanoseconds since 1970; 0 where unknown.
        attributes: its attributes.
        body: the body of a log record; None for an event of a span.
    """

    name: str
    time_ns: int = 0
    attributes: Attributes = field(default_factory=dict[str, Any])
    body: Any = None


@dataclass(frozen=True, slots=True)
class SpanLink:
    """A link to another span.

    Attributes:
        trace_id: trace id of the other span, 32 hexadecimal digits.
        span_id: id of the other span, 16 hexadecimal digits.
    """

    trace_id: str
    span_id: str


@dataclass(frozen=True, slots=True)
class Span:
    """One operation in a trace.

    Attributes:
        trace_id: 32 lower-case hexadecimal digits, or the id of an export that uses another format.
        span_id: 16 lower-case hexadecimal digits, or the id of an export that uses another format.
        parent_id: id of the parent span; None for a root.
        name: name of the operation.
        start_ns: start in nanoseconds since 1970; 0 if unknown.
        end_ns: end in nanoseconds since 1970; 0 if unknown.
        error: error message if the status of the span is an error; None otherwise.
        attributes: its attributes.
        events: its events, including log records that name it, by time.
        links: its links.
        resource: attributes of the process that recorded it, such as `service.version`.
        scope: name of the instrumentation that recorded it.
    """

    trace_id: str
    span_id: str
    parent_id: str | None = None
    name: str = ""
    start_ns: int = 0
    end_ns: int = 0
    error: str | None = None
    attributes: Attributes = field(default_factory=dict[str, Any])
    events: tuple[SpanEvent, ...] = ()
    links: tuple[SpanLink, ...] = ()
    resource: Attributes = field(default_factory=dict[str, Any])
    scope: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the span as values that JSON can hold; `from_json` reads them back."""
        return {
            "trace_id": self.trace_id,
            "span_id": self.span_id,
            "parent_id": self.parent_id,
            "name": self.name,
            "start_ns": self.start_ns,
            "end_ns": self.end_ns,
            "error": self.error,
            "attributes": dict(self.attributes),
            "events": [_event_json(event) for event in self.events],
            "links": [[link.trace_id, link.span_id] for link in self.links],
            "resource": dict(self.resource),
            "scope": self.scope,
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return the span that `to_json` wrote."""
        events = tuple(_event(item) for item in values["events"])
        links = tuple(SpanLink(*item) for item in values["links"])
        fields: dict[str, Any] = {**values, "events": events, "links": links}
        return cls(**fields)


@dataclass(frozen=True, slots=True)
class SpanLog:
    """A log record that names its span. Newer instrumentations record messages this way.

    Attributes:
        trace_id: trace id of the span.
        span_id: id of the span.
        event: the log record.
    """

    trace_id: str
    span_id: str
    event: SpanEvent

    def to_json(self) -> dict[str, Any]:
        """Return the record as values that JSON can hold; `from_json` reads them back."""
        return {"trace_id": self.trace_id, "span_id": self.span_id, "log": _event_json(self.event)}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return the record that `to_json` wrote."""
        return cls(values["trace_id"], values["span_id"], _event(values["log"]))


Record = Span | SpanLog
"""A received part of a trace."""


def record_from_json(values: Mapping[str, Any]) -> Record:
    """Return the span or log record from the values that its `to_json` returned."""
    return SpanLog.from_json(values) if "log" in values else Span.from_json(values)


def merge_records(records: Iterable[Record]) -> tuple[Span, ...]:
    """Return the spans among `records` by start, without duplicates, each with the log records that name it.

    The result does not depend on the order or repetition of the records. Of several versions of a span, the one that
    ends last is kept.
    """
    spans: dict[tuple[str, str], Span] = {}
    logs: dict[tuple[str, str], dict[str, SpanEvent]] = {}
    for record in records:
        key = (record.trace_id, record.span_id)
        if isinstance(record, SpanLog):
            logs.setdefault(key, {})[_canonical(_event_json(record.event))] = record.event
        elif key not in spans or _version(record) > _version(spans[key]):
            spans[key] = record
    merged = (_with_logs(span, logs.get(key, {})) for key, span in spans.items())
    return tuple(sorted(merged, key=lambda span: (span.start_ns, span.end_ns, span.trace_id, span.span_id)))


def _with_logs(span: Span, logs: Mapping[str, SpanEvent]) -> Span:
    if not logs and len(span.events) < 2:  # noqa: PLR2004  (one event needs no sorting)
        return span
    events = {_canonical(_event_json(event)): event for event in span.events} | dict(logs)
    ordered = sorted(events.items(), key=lambda item: (item[1].time_ns, *_event_order(item[1]), item[0]))
    return replace(span, events=tuple(event for _, event in ordered))


def _event_order(event: SpanEvent) -> tuple[int]:
    """Return the sort key of an event among events of the same time: prompt messages come before answers."""
    order = [f"gen_ai.{role}.message" for role in ("system", "user", "assistant", "tool")]
    return (order.index(event.name) if event.name in order else len(order),)


def _version(span: Span) -> tuple[int, int, str]:
    return span.end_ns, len(span.attributes), _canonical(span.to_json())


def _canonical(value: Any) -> str:  # noqa: ANN401  (any JSON)
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), default=str)
    return blake2b(text.encode(), digest_size=16).hexdigest()


def _event_json(event: SpanEvent) -> dict[str, Any]:
    return {
        "name": event.name,
        "time_ns": event.time_ns,
        "attributes": dict(event.attributes),
        "body": event.body,
    }


def _event(values: object) -> SpanEvent:
    return SpanEvent(**cast("dict[str, Any]", values))


_SESSION_ATTRIBUTES = (
    "session.id",
    "langfuse.session.id",
    "gen_ai.conversation.id",
    "mlflow.trace.session",
    "traceloop.association.properties.session_id",
    "traceloop.association.properties.chat_id",
    "traceloop.association.properties.conversation_id",
)


def session_key(record: Record) -> str | None:
    """Return a hash of the session id in the attributes of a span, 32 hexadecimal digits; None without a session.

    A trace with several sessions takes the smallest hash.
    """
    attributes: Attributes = record.attributes if isinstance(record, Span) else {}
    for name in _SESSION_ATTRIBUTES:
        value = attributes.get(name)
        if isinstance(value, str | int) and str(value).strip():
            return blake2b(str(value).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return None
