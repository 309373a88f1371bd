"""Spans of OpenTelemetry's SDK for Python: `ReadableSpan`, recognised by its attributes.

OpenTelemetry is not imported.
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from ragstone.traces.otlp import read_text
from ragstone.traces.span import Span, SpanEvent, SpanLink


def is_readable_span(value: object) -> bool:
    """Return whether an object is a `ReadableSpan` of the SDK."""
    return all(hasattr(value, name) for name in ("get_span_context", "parent", "start_time", "end_time"))


def read_span(span: Any) -> Span:  # noqa: ANN401  (a ReadableSpan)
    """Convert a `ReadableSpan` to a span."""
    context, parent, status = span.get_span_context(), span.parent, span.status
    failed = getattr(status.status_code, "name", "") == "ERROR"
    scope = getattr(span, "instrumentation_scope", None)
    resource = getattr(span, "resource", None)
    return Span(
        f"{context.trace_id:032x}",
        f"{context.span_id:016x}",
        None if parent is None else f"{parent.span_id:016x}",
        read_text(span.name),
        span.start_time or 0,
        span.end_time or 0,
        (read_text(status.description) or "error") if failed else None,
        _attributes(span.attributes),
        tuple(
            SpanEvent(item.name, item.timestamp or 0, _attributes(item.attributes)) for item in span.events
        ),
        tuple(
            SpanLink(f"{of.trace_id:032x}", f"{of.span_id:016x}")
            for of in (link.context for link in span.links)
        ),
        _attributes(None if resource is None else resource.attributes),
        "" if scope is None else scope.name,
    )


def _attributes(values: Mapping[str, Any] | None) -> dict[str, Any]:
    return {} if values is None else {name: _plain(value) for name, value in values.items()}


def _plain(value: object) -> Any:  # noqa: ANN401
    if isinstance(value, str):
        return read_text(value)
    if isinstance(value, Mapping):
        return _attributes(cast("Mapping[str, Any]", value))
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [_plain(item) for item in cast("Sequence[object]", value)]
    return value if value is None or isinstance(value, bool | int | float) else read_text(value)
