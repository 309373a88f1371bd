"""MLflow: traces in the format of `Trace.to_json()`, of MLflow 2 and 3.

Source: mlflow/mlflow, `mlflow.entities.Trace`, `TraceInfo`, `Span.to_dict`.
"""

import base64
import binascii
from collections.abc import Iterator, Mapping
from typing import Any

from ragstone.traces.exports.times import nanoseconds
from ragstone.traces.otlp import read_text
from ragstone.traces.shapes.values import as_list, as_mapping
from ragstone.traces.span import Record, Span

_TRACE_ATTRIBUTES = {"mlflow.trace.session": "mlflow.trace.session", "mlflow.trace.user": "mlflow.trace.user"}
_ERROR_CODES = {"ERROR", "STATUS_CODE_ERROR"}
_TRACE_ID_PREFIX = "tr-"


def fits(value: Mapping[str, Any]) -> bool:
    """Return whether an object is a trace."""
    return isinstance(value.get("info"), dict) and "spans" in as_mapping(value.get("data"))


def records(value: Mapping[str, Any]) -> Iterator[Record | str]:
    """Yield the spans of a trace. The root span gets its assessments, session and user as attributes."""
    info = as_mapping(value.get("info"))
    trace = str(info.get("trace_id") or info.get("request_id") or "").removeprefix(_TRACE_ID_PREFIX)
    metadata = {**as_mapping(info.get("request_metadata")), **as_mapping(info.get("trace_metadata"))}
    root_attributes = {name: metadata[key] for key, name in _TRACE_ATTRIBUTES.items() if metadata.get(key)}
    root_attributes["mlflow.assessments"] = as_list(info.get("assessments"))
    for item in as_list(as_mapping(value.get("data")).get("spans")):
        span = as_mapping(item)
        context, status = as_mapping(span.get("context")), as_mapping(span.get("status"))
        identifier = _hexadecimal(span.get("span_id", context.get("span_id")))
        if not identifier or not trace:
            yield f"span {read_text(span.get('name'))[:80]!r}: it has no span_id, or its trace has no trace_id"
            continue
        parent = _hexadecimal(span.get("parent_span_id", span.get("parent_id"))) or None
        failed = str(status.get("code", span.get("status_code"))) in _ERROR_CODES
        message = read_text(status.get("message", span.get("status_message")))
        yield Span(
            trace,
            identifier,
            parent,
            read_text(span.get("name")),
            nanoseconds(span.get("start_time_unix_nano", span.get("start_time"))),
            nanoseconds(span.get("end_time_unix_nano", span.get("end_time"))),
            (message or "error") if failed else None,
            {**as_mapping(span.get("attributes")), **({} if parent else root_attributes)},
            scope="mlflow",
        )


def _hexadecimal(value: object) -> str:
    """Return a hexadecimal id. MLflow 3 writes ids in base64, MLflow 2 in hexadecimal with or without 0x."""
    text = read_text(value).removeprefix("0x")
    try:
        return base64.b64decode(text, validate=True).hex() if text.endswith("=") else text
    except (binascii.Error, ValueError):
        return text
