"""Read traces, the recorded interactions of an application with its users, as test cases.

    request, file, export, ReadableSpan ─▶ Span ─▶ test case

`span` is the one model of a span. `otlp` reads a decoded OTLP request, `readable_span` an object of OpenTelemetry's
SDK. OpenTelemetry itself is never imported.
"""

from typing import TYPE_CHECKING

from ragstone.lazy import lazy_exports

if TYPE_CHECKING:
    from ragstone.traces.otlp import ParsedRequest, parse_request
    from ragstone.traces.readable_span import read_span
    from ragstone.traces.span import (
        Record,
        Span,
        SpanEvent,
        SpanLink,
        SpanLog,
        merge_records,
        record_from_json,
    )

_EXPORTS = {
    "ParsedRequest": "ragstone.traces.otlp",
    "Record": "ragstone.traces.span",
    "Span": "ragstone.traces.span",
    "SpanEvent": "ragstone.traces.span",
    "SpanLink": "ragstone.traces.span",
    "SpanLog": "ragstone.traces.span",
    "merge_records": "ragstone.traces.span",
    "parse_request": "ragstone.traces.otlp",
    "read_span": "ragstone.traces.readable_span",
    "record_from_json": "ragstone.traces.span",
}

__all__ = [
    "ParsedRequest",
    "Record",
    "Span",
    "SpanEvent",
    "SpanLink",
    "SpanLog",
    "merge_records",
    "parse_request",
    "read_span",
    "record_from_json",
]

__getattr__ = lazy_exports(__name__, _EXPORTS)
