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
    "otlp": ("ParsedRequest", "parse_request"),
    "readable_span": ("read_span",),
    "span": ("Record", "Span", "SpanEvent", "SpanLink", "SpanLog", "merge_records", "record_from_json"),
}

__all__ = [
    "ParsedRequest", "Record", "Span", "SpanEvent", "SpanLink", "SpanLog", "merge_records", "parse_request",
    "read_span", "record_from_json",
]  # fmt: skip

__getattr__ = lazy_exports(
    __name__, {name: f"{__name__}.{module}" for module, names in _EXPORTS.items() for name in names}
)
