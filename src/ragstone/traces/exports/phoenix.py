"""Phoenix: spans of `GET /v1/projects/…/spans`, `px span list --format raw`, or a data frame of spans as JSON lines.

Source: Arize-ai/phoenix, REST API (schema `Span`) and `phoenix.client.spans.get_spans_dataframe`.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from ragstone.traces.exports.times import nanoseconds
from ragstone.traces.otlp import read_text
from ragstone.traces.shapes.values import as_list, as_mapping, as_text, flatten
from ragstone.traces.span import Record, Span, SpanEvent

_COLUMN_PREFIX = "attributes."


def fits(value: Mapping[str, Any]) -> bool:
    """Return whether an object is a span, or a page of spans."""
    page = as_list(value.get("data"))
    if page:
        return fits(as_mapping(page[0]))
    return "trace_id" in as_mapping(value.get("context")) or "context.trace_id" in value


def records(value: Mapping[str, Any]) -> Iterator[Record | str]:
    """Yield the spans of an object."""
    for item in as_list(value.get("data")) or [value]:
        span = as_mapping(item)
        context = as_mapping(span.get("context"))
        trace = context.get("trace_id", span.get("context.trace_id"))
        identifier = context.get("span_id", span.get("context.span_id"))
        if not isinstance(trace, str) or not isinstance(identifier, str):
            yield f"span {read_text(span.get('name'))[:80]!r}: it has no context with trace_id and span_id"
            continue
        failed = span.get("status_code") == "ERROR"
        yield Span(
            trace,
            identifier,
            as_text(span.get("parent_id")),
            read_text(span.get("name")),
            nanoseconds(span.get("start_time")),
            nanoseconds(span.get("end_time")),
            (read_text(span.get("status_message")) or "error") if failed else None,
            _attributes(span),
            tuple(_event(as_mapping(event)) for event in as_list(span.get("events"))),
            scope="phoenix",
        )


def _attributes(span: Mapping[str, Any]) -> dict[str, Any]:
    columns = {
        name.removeprefix(_COLUMN_PREFIX): value
        for name, value in span.items()
        if name.startswith(_COLUMN_PREFIX) and value is not None
    }
    attributes = flatten({**as_mapping(span.get("attributes")), **columns})
    kind = span.get("span_kind")
    return {"openinference.span.kind": kind, **attributes} if isinstance(kind, str) else attributes


def _event(event: Mapping[str, Any]) -> SpanEvent:
    return SpanEvent(
        read_text(event.get("name")), nanoseconds(event.get("timestamp")), as_mapping(event.get("attributes"))
    )
