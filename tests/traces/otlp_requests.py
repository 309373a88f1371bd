"""Requests of OTLP as its JSON encoding writes them, made from plain values."""

from collections.abc import Iterable, Mapping
from typing import Any

TRACE = "5b8efff798038103d269b633813fc60c"


def any_value(value: Any) -> dict[str, Any]:
    """Return a value as an `AnyValue`."""
    if isinstance(value, list):
        return {"arrayValue": {"values": [any_value(item) for item in value]}}
    if isinstance(value, dict):
        return {"kvlistValue": {"values": pairs(value)}}
    if value is None:
        return {}
    name = {bool: "boolValue", int: "intValue", float: "doubleValue", str: "stringValue"}[type(value)]
    return {name: str(value) if name == "intValue" else value}


def pairs(attributes: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return attributes as a list of key-value pairs."""
    return [{"key": key, "value": any_value(value)} for key, value in attributes.items()]


def otlp_span(
    number: int,
    name: str,
    attributes: Mapping[str, Any],
    *,
    parent: int | None = None,
    trace: str = TRACE,
    start: int | None = None,
    end: int | None = None,
    **more: Any,
) -> dict[str, Any]:
    """Return a span; times are milliseconds."""
    begin = number * 10 if start is None else start
    stop = begin + 5 if end is None else end
    found = {
        "traceId": trace,
        "spanId": f"{number:016x}",
        "name": name,
        "kind": 1,
        "startTimeUnixNano": str(1_700_000_000_000_000_000 + begin * 1_000_000),
        "endTimeUnixNano": str(1_700_000_000_000_000_000 + stop * 1_000_000),
        "attributes": pairs(attributes),
        "status": {},
        **more,
    }
    return found if parent is None else {**found, "parentSpanId": f"{parent:016x}"}


def request(
    spans: Iterable[Mapping[str, Any]], resource: Mapping[str, Any] | None = None, scope: str = "app"
) -> dict[str, Any]:
    """Return one `ExportTraceServiceRequest`."""
    by_scope = {"scope": {"name": scope}, "spans": list(spans)}
    return {"resourceSpans": [{"resource": {"attributes": pairs(resource or {})}, "scopeSpans": [by_scope]}]}
