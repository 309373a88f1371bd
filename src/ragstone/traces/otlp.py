"""OTLP as JSON: spans and log records of one decoded request of traces or logs.

Source: OpenTelemetry Protocol 1.x, "JSON Protobuf Encoding": ids are hexadecimal text, 64-bit integers may be texts,
names are `lowerCamelCase`. The output of protobuf's own JSON writer is read as well, with `snake_case` names and ids in
base64.
"""

import base64
import binascii
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from ragstone.traces.span import Record, Span, SpanEvent, SpanLink, SpanLog

MOST_LEVELS = 32  # most nested levels of lists and mappings in a value; deeper ones are dropped
_HEX_DIGITS = re.compile(r"[0-9a-f]+")
_ERROR_CODES = {2, "2", "STATUS_CODE_ERROR"}
_TRACE_ID_DIGITS, _SPAN_ID_DIGITS = 32, 16


@dataclass(frozen=True, slots=True)
class ParsedRequest:
    """Content of one request.

    Attributes:
        records: spans, and log records that name a span, in the order of the request.
        problems: one message for each span that cannot be read; such spans are left out.
    """

    records: tuple[Record, ...]
    problems: tuple[str, ...] = ()

    @property
    def spans(self) -> tuple[Span, ...]:
        """The spans among the records."""
        return tuple(record for record in self.records if isinstance(record, Span))


class BadSpan(Exception):  # noqa: N818  (reads as what happened)
    """Something that cannot be read as a span; the message says why."""


def parse_request(request: Mapping[str, Any]) -> ParsedRequest:
    """Return the spans and log records of one decoded `ExportTraceServiceRequest` or `ExportLogsServiceRequest`.

    Log records without a trace and a span are left out without a message: they belong to no interaction. A violation of
    the protocol becomes a problem, never an exception.
    """
    items = tuple(iter_records(request))
    records = tuple(item for item in items if not isinstance(item, BadSpan))
    return ParsedRequest(records, tuple(str(item) for item in items if isinstance(item, BadSpan)))


def iter_records(request: Mapping[str, Any]) -> Iterator[Record | BadSpan]:
    """Yield the spans and log records of a request one at a time, and for each that cannot be read the problem."""
    for resource, scope, item, is_log in _items(request):
        try:
            record = _log(item) if is_log else _span(item, resource, scope)
        except BadSpan as problem:
            yield problem
            continue
        if record is not None:
            yield record


def is_request(value: object) -> bool:
    """Return whether decoded JSON is a request of traces or logs."""
    names = ("resourceSpans", "resource_spans", "resourceLogs", "resource_logs")
    return isinstance(value, dict) and any(name in value for name in names)


def _items(request: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], str, Any, bool]]:
    """Yield resource attributes, scope and item of each span and log record."""
    for is_log, outer, middle, inner in (
        (False, "resourceSpans", "scopeSpans", "spans"),
        (True, "resourceLogs", "scopeLogs", "logRecords"),
    ):
        for resource_item in _mappings(_get(request, outer)):
            resource = read_attributes(_get(_mapping(_get(resource_item, "resource")), "attributes"))
            scopes = _get(resource_item, middle) or _get(resource_item, "instrumentationLibrarySpans")
            for scope_item in _mappings(scopes):
                scope = str(_get(_mapping(_get(scope_item, "scope")), "name") or "")
                items = _get(scope_item, inner)
                for item in cast("list[Any]", items) if isinstance(items, list) else []:
                    yield resource, scope, item, is_log


def _span(item: Any, resource: dict[str, Any], scope: str) -> Span:  # noqa: ANN401  (any JSON)
    if not isinstance(item, dict):
        raise BadSpan(f"a span is an object, not {type(item).__name__}")
    values = cast("dict[str, Any]", item)
    name = read_text(_get(values, "name"))
    trace_id, span_id = _ids(values)
    if trace_id is None or span_id is None:
        invalid = "traceId" if trace_id is None else "spanId"
        raise BadSpan(f"span {name[:80]!r}: {invalid} {str(_get(values, invalid))[:80]!r} is not a valid id")
    status = _mapping(_get(values, "status"))
    code = _get(status, "code")
    failed = isinstance(code, int | str) and code in _ERROR_CODES
    return Span(
        trace_id,
        span_id,
        _id(_get(values, "parentSpanId"), _SPAN_ID_DIGITS),
        name,
        _nanoseconds(_get(values, "startTimeUnixNano")),
        _nanoseconds(_get(values, "endTimeUnixNano")),
        read_text(_get(status, "message")) or "error" if failed else None,
        read_attributes(_get(values, "attributes")),
        tuple(_event(event) for event in _mappings(_get(values, "events"))),
        tuple(link for item in _mappings(_get(values, "links")) if (link := _link(item)) is not None),
        resource,
        scope,
    )


def _log(item: Any) -> SpanLog | None:  # noqa: ANN401
    values = _mapping(item)
    trace_id, span_id = _ids(values)
    if trace_id is None or span_id is None:
        return None
    attributes = read_attributes(_get(values, "attributes"))
    name = read_text(_get(values, "eventName")) or str(attributes.get("event.name") or "")
    time = _nanoseconds(_get(values, "timeUnixNano")) or _nanoseconds(_get(values, "observedTimeUnixNano"))
    return SpanLog(
        trace_id, span_id, SpanEvent(name, time, attributes, read_value(_mapping(_get(values, "body"))))
    )


def _event(values: dict[str, Any]) -> SpanEvent:
    return SpanEvent(
        read_text(_get(values, "name")),
        _nanoseconds(_get(values, "timeUnixNano")),
        read_attributes(_get(values, "attributes")),
    )


def _ids(values: dict[str, Any]) -> tuple[str | None, str | None]:
    return _id(_get(values, "traceId"), _TRACE_ID_DIGITS), _id(_get(values, "spanId"), _SPAN_ID_DIGITS)


def _link(values: dict[str, Any]) -> SpanLink | None:
    trace_id, span_id = _ids(values)
    return None if trace_id is None or span_id is None else SpanLink(trace_id, span_id)


def read_attributes(pairs: object, level: int = 0) -> dict[str, Any]:
    """Return a list of key-value pairs as a mapping; of two with the same key the later wins."""
    return {
        read_text(_get(pair, "key")): read_value(_mapping(_get(pair, "value")), level)
        for pair in _mappings(pairs)
    }


def read_value(value: Mapping[str, Any], level: int = 0) -> Any:  # noqa: ANN401  (a text, number, list …)
    """Return the value of an `AnyValue`; bytes stay base64 text, and None means that no value is set."""
    if level > MOST_LEVELS:
        return None
    for name, item in value.items():
        kind = name.removesuffix("Value").removesuffix("_value")
        if kind in _SCALARS:
            return _SCALARS[kind](item)
        if kind == "array":
            return [read_value(inner, level + 1) for inner in _mappings(_get(_mapping(item), "values"))]
        if kind == "kvlist":
            return read_attributes(_get(_mapping(item), "values"), level + 1)
    return None


def read_text(value: object) -> str:
    """Return a text that can be encoded: a lone surrogate becomes U+FFFD."""
    if not isinstance(value, str):
        return "" if value is None else str(value)
    try:
        value.encode()
    except UnicodeEncodeError:
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return value


def _get(values: Mapping[str, Any], name: str) -> Any:  # noqa: ANN401
    if name in values:
        return values[name]
    return values.get(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower())


def _mapping(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _mappings(value: object) -> list[dict[str, Any]]:
    items = cast("list[object]", value) if isinstance(value, list) else []
    return [cast("dict[str, Any]", item) for item in items if isinstance(item, dict)]


def _id(value: object, digits: int) -> str | None:
    """Return an id of `digits` hexadecimal digits; None if it is missing, all zeros or invalid."""
    if not isinstance(value, str):
        return None
    identifier = value.lower()
    if len(value) != digits or not _HEX_DIGITS.fullmatch(identifier):
        try:
            identifier = base64.b64decode(value, validate=True).hex()
        except (binascii.Error, ValueError):
            return None
    return identifier if len(identifier) == digits and identifier.strip("0") else None


def _nanoseconds(value: object) -> int:
    number = _integer(value)
    return number if isinstance(number, int) and 0 <= number < 1 << 64 else 0


def _integer(value: object) -> Any:  # noqa: ANN401  (an integer or None)
    if isinstance(value, int) and not isinstance(value, bool):
        number = value
    else:
        text = str(value)
        number = int(text) if re.fullmatch(r"-?\d{1,20}", text, re.ASCII) else None
    return number if number is not None and -(1 << 63) <= number < 1 << 64 else None


def _float(value: object) -> Any:  # noqa: ANN401
    """Return a number. NaN and infinity, which JSON lacks, become text; invalid values become None."""
    try:
        number = float(cast("Any", value))
    except (TypeError, ValueError):
        return None
    return number if number - number == 0 else str(number)


_SCALARS: Mapping[str, Callable[[object], Any]] = {
    "string": read_text,
    "int": _integer,
    "double": _float,
    "bool": lambda value: value is True or value == "true",
    "bytes": read_text,
}
"""Kind of a scalar `AnyValue` → the function that reads it."""
