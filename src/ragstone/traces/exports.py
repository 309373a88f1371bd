"""Exports of tracing tools, read as spans: for each tool, whether an object is of it, and its records.

Sources: Langfuse's public API (`GET /api/public/observations`, `/v2/observations`, `/traces/{id}`, schemas
`ObservationsView` and `TraceWithFullDetails`), or what its page downloads. LangSmith's SDK, schema `Run`, in the format
of `Client.list_runs` and bulk exports; a run without `trace_id` is no trace and is read as a dataset row. MLflow 2
and 3, `Trace.to_json()`. Phoenix's REST API (schema `Span`), `px span list --format raw`, or a data frame of spans as
JSON lines.
"""

import base64
import binascii
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from ragstone.traces.otlp import read_text
from ragstone.traces.shapes.values import as_list, as_mapping, as_text, flatten, parse_json
from ragstone.traces.span import Record, Span, SpanEvent

_OBSERVATION_TYPES = frozenset(
    "GENERATION SPAN EVENT RETRIEVER TOOL AGENT CHAIN EMBEDDING GUARDRAIL EVALUATOR".split(" ")  # noqa: SIM905
)
_LANGFUSE_TRACE_ATTRIBUTES = {
    "sessionId": "session.id",
    "userId": "user.id",
    "tags": "langfuse.trace.tags",
    "release": "langfuse.release",
    "environment": "langfuse.environment",
}
_LANGFUSE_ATTRIBUTES = _LANGFUSE_TRACE_ATTRIBUTES | {
    "input": "langfuse.observation.input",
    "output": "langfuse.observation.output",
    "usageDetails": "langfuse.observation.usage_details",
    "costDetails": "langfuse.observation.cost_details",
    "model": "langfuse.observation.model.name",
}
_RUN_FIELDS = (
    *("inputs", "outputs", "tags", "prompt_tokens", "completion_tokens", "total_cost"),
    *("reference_outputs", "reference_example_id", "feedback_stats"),
)
_ROOT_ATTRIBUTES = ("mlflow.trace.session", "mlflow.trace.user")
_ERROR_CODES = {"ERROR", "STATUS_CODE_ERROR"}
_COLUMN_PREFIX = "attributes."


def is_langfuse(value: Mapping[str, Any]) -> bool:
    """Return whether an object is an observation, a trace with observations, or a page of them."""
    page = as_list(value.get("data"))
    if page:
        return is_langfuse(as_mapping(page[0]))
    observations = as_list(value.get("observations"))
    if isinstance(value.get("trace"), dict):  # what Langfuse's page downloads
        return "id" in value["trace"] and isinstance(value.get("observations"), list)
    return ("traceId" in value and str(value.get("type")) in _OBSERVATION_TYPES) or (
        "id" in value and bool(observations) and is_langfuse(as_mapping(observations[0]))
    )


def langfuse_records(value: Mapping[str, Any]) -> Iterator[Record | str]:
    """Yield the spans of an object. A trace becomes a span, the parent of observations without a parent."""
    for entry in map(as_mapping, as_list(value.get("data")) or [value]):
        if isinstance(entry.get("trace"), dict):
            yield from _langfuse_trace({**entry["trace"], "observations": entry.get("observations")})
        elif "observations" in entry:
            yield from _langfuse_trace(entry)
        else:
            yield _observation(entry, None)


def _langfuse_trace(trace: Mapping[str, Any]) -> Iterator[Record | str]:
    observations = [as_mapping(item) for item in as_list(trace.get("observations"))]
    spans = [span for item in observations if isinstance(span := _observation(item, str(trace["id"])), Span)]
    start = nanoseconds(trace.get("timestamp")) or min((span.start_ns for span in spans), default=0)
    texts = {
        f"langfuse.trace.{name}": trace[name] for name in ("input", "output") if trace.get(name) is not None
    }
    known_attributes = {
        name: trace[key] for key, name in _LANGFUSE_TRACE_ATTRIBUTES.items() if trace.get(key)
    }
    scores = as_list(trace.get("scores"))
    yield Span(
        str(trace["id"]),
        f"trace-{trace['id']}",
        None,
        read_text(trace.get("name")),
        start,
        max((span.end_ns for span in spans), default=start),
        attributes={
            "langfuse.observation.type": "chain",
            **texts,
            **known_attributes,
            "langfuse.scores": scores,
        },
        scope="langfuse",
    )
    yield from spans


def _observation(item: Mapping[str, Any], trace: str | None) -> Span | str:
    identifier, trace_id = item.get("id"), item.get("traceId") or trace
    if not isinstance(identifier, str) or not isinstance(trace_id, str):
        return f"observation {read_text(item.get('name'))[:80]!r}: it has no id and traceId"
    start = nanoseconds(item.get("startTime"))
    return Span(
        trace_id,
        identifier,
        as_text(item.get("parentObservationId")) or (f"trace-{trace}" if trace else None),
        read_text(item.get("name")),
        start,
        nanoseconds(item.get("endTime")) or start,
        (read_text(item.get("statusMessage")) or "error") if item.get("level") == "ERROR" else None,
        {
            "langfuse.observation.type": read_text(item.get("type")).lower(),
            **{name: item[key] for key, name in _LANGFUSE_ATTRIBUTES.items() if item.get(key) is not None},
        },
        scope="langfuse",
    )


def is_langsmith(value: Mapping[str, Any]) -> bool:
    """Return whether an object is a run of a trace, or a page of runs."""
    page = as_list(value.get("runs"))
    if page:
        return is_langsmith(as_mapping(page[0]))
    return "run_type" in value and bool(value.get("trace_id"))


def langsmith_records(value: Mapping[str, Any]) -> Iterator[Record | str]:
    """Yield the runs of an object as spans."""
    for run in map(as_mapping, as_list(value.get("runs")) or [value]):
        trace, identifier = as_text(run.get("trace_id")), as_text(run.get("id"))
        if trace is None or identifier is None:
            yield f"run {read_text(run.get('name'))[:80]!r}: it has no id and trace_id"
            continue
        start = nanoseconds(run.get("start_time"))
        fields = {name: parse_json(run[name]) for name in _RUN_FIELDS if run.get(name) is not None}
        if isinstance(fields.get("total_cost"), str):
            fields["total_cost"] = _number(fields["total_cost"])
        yield Span(
            trace,
            identifier,
            as_text(run.get("parent_run_id")),
            read_text(run.get("name")),
            start,
            nanoseconds(run.get("end_time")) or start,
            as_text(run.get("error")),
            {
                "langsmith.span.kind": read_text(run.get("run_type")),
                "langsmith.metadata": as_mapping(as_mapping(run.get("extra")).get("metadata")),
                **{f"langsmith.{name}": field for name, field in fields.items()},
            },
            scope="langsmith",
        )


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def is_mlflow(value: Mapping[str, Any]) -> bool:
    """Return whether an object is a trace."""
    return isinstance(value.get("info"), dict) and "spans" in as_mapping(value.get("data"))


def mlflow_records(value: Mapping[str, Any]) -> Iterator[Record | str]:
    """Yield the spans of a trace. The root span gets its assessments, session and user as attributes."""
    info = as_mapping(value.get("info"))
    trace = str(info.get("trace_id") or info.get("request_id") or "").removeprefix("tr-")
    metadata = {**as_mapping(info.get("request_metadata")), **as_mapping(info.get("trace_metadata"))}
    root_attributes = {name: metadata[name] for name in _ROOT_ATTRIBUTES if metadata.get(name)}
    root_attributes["mlflow.assessments"] = as_list(info.get("assessments"))
    for span in map(as_mapping, as_list(as_mapping(value.get("data")).get("spans"))):
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


def is_phoenix(value: Mapping[str, Any]) -> bool:
    """Return whether an object is a span, or a page of spans."""
    page = as_list(value.get("data"))
    if page:
        return is_phoenix(as_mapping(page[0]))
    return "trace_id" in as_mapping(value.get("context")) or "context.trace_id" in value


def phoenix_records(value: Mapping[str, Any]) -> Iterator[Record | str]:
    """Yield the spans of an object."""
    for span in map(as_mapping, as_list(value.get("data")) or [value]):
        context = as_mapping(span.get("context"))
        trace, identifier = (
            context.get(name, span.get(f"context.{name}")) for name in ("trace_id", "span_id")
        )
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
            _phoenix_attributes(span),
            tuple(_phoenix_event(as_mapping(event)) for event in as_list(span.get("events"))),
            scope="phoenix",
        )


def _phoenix_attributes(span: Mapping[str, Any]) -> dict[str, Any]:
    columns = {
        name.removeprefix(_COLUMN_PREFIX): value
        for name, value in span.items()
        if name.startswith(_COLUMN_PREFIX) and value is not None
    }
    attributes = flatten({**as_mapping(span.get("attributes")), **columns})
    kind = span.get("span_kind")
    return {"openinference.span.kind": kind, **attributes} if isinstance(kind, str) else attributes


def _phoenix_event(event: Mapping[str, Any]) -> SpanEvent:
    time = nanoseconds(event.get("timestamp"))
    return SpanEvent(read_text(event.get("name")), time, as_mapping(event.get("attributes")))


_MAX_NANOSECONDS = 2**64
_UNITS = ((1e17, 1), (1e14, 10**3), (1e11, 10**6), (0.0, 10**9))
"""Smallest number that is read as ns, µs, ms or s, for any time from 1973 to the year 5000, and the unit in ns."""


def nanoseconds(value: object) -> int:
    """Return a timestamp in nanoseconds, read from ISO 8601 (UTC without a zone) or a number of s, ms, µs or ns.

    A value that is not a timestamp gives 0.
    """
    if isinstance(value, str) and value.isdigit():
        value = int(value) if len(value) <= 20 else None  # noqa: PLR2004  (nanoseconds have 19)
    if isinstance(value, str):
        return _from_iso(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < _MAX_NANOSECONDS:
        return 0
    return int(value * next(unit for least, unit in _UNITS if value >= least))


def _from_iso(text: str) -> int:
    try:
        parsed = datetime.fromisoformat(text.strip())
    except ValueError:
        return 0
    moment = parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
    elapsed = moment - datetime(1970, 1, 1, tzinfo=UTC)
    return (elapsed.days * 86_400 + elapsed.seconds) * 10**9 + elapsed.microseconds * 1000
