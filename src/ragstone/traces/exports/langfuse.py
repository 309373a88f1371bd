"""Langfuse: observations, or traces with observations and scores, from the API, an exported file, or the page.

Source: Langfuse's public API (`GET /api/public/observations`, `/v2/observations`, `/traces/{id}`), schemas
`ObservationsView` and `TraceWithFullDetails`.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from ragstone.traces.exports.times import nanoseconds
from ragstone.traces.otlp import read_text
from ragstone.traces.shapes.values import as_list, as_mapping, as_text
from ragstone.traces.span import Record, Span

_OBSERVATION_TYPES = frozenset(
    "GENERATION SPAN EVENT RETRIEVER TOOL AGENT CHAIN EMBEDDING GUARDRAIL EVALUATOR".split(" ")  # noqa: SIM905
)
_TRACE_ATTRIBUTES = {
    "sessionId": "session.id",
    "userId": "user.id",
    "tags": "langfuse.trace.tags",
    "release": "langfuse.release",
    "environment": "langfuse.environment",
}
_OBSERVATION_ATTRIBUTES = {
    "input": "langfuse.observation.input",
    "output": "langfuse.observation.output",
    "usageDetails": "langfuse.observation.usage_details",
    "costDetails": "langfuse.observation.cost_details",
    "model": "langfuse.observation.model.name",
}


def fits(value: Mapping[str, Any]) -> bool:
    """Return whether an object is an observation, a trace with observations, or a page of them."""
    page = as_list(value.get("data"))
    if page:
        return fits(as_mapping(page[0]))
    observations = as_list(value.get("observations"))
    if isinstance(value.get("trace"), dict):  # what Langfuse's page downloads
        return "id" in value["trace"] and isinstance(value.get("observations"), list)
    return ("traceId" in value and str(value.get("type")) in _OBSERVATION_TYPES) or (
        "id" in value and bool(observations) and fits(as_mapping(observations[0]))
    )


def records(value: Mapping[str, Any]) -> Iterator[Record | str]:
    """Yield the spans of an object. A trace becomes a span, the parent of observations without a parent."""
    for item in as_list(value.get("data")) or [value]:
        entry = as_mapping(item)
        if isinstance(entry.get("trace"), dict):
            yield from _trace({**entry["trace"], "observations": entry.get("observations")})
        elif "observations" in entry:
            yield from _trace(entry)
        else:
            yield _observation(entry, None)


def _trace(trace: Mapping[str, Any]) -> Iterator[Record | str]:
    observations = [as_mapping(item) for item in as_list(trace.get("observations"))]
    spans = [span for item in observations if isinstance(span := _observation(item, str(trace["id"])), Span)]
    start = nanoseconds(trace.get("timestamp")) or min((span.start_ns for span in spans), default=0)
    trace_attributes = {name: trace[key] for key, name in _TRACE_ATTRIBUTES.items() if trace.get(key)}
    texts = {"langfuse.trace.input": trace.get("input"), "langfuse.trace.output": trace.get("output")}
    yield Span(
        str(trace["id"]),
        f"trace-{trace['id']}",
        None,
        read_text(trace.get("name")),
        start,
        max((span.end_ns for span in spans), default=start),
        attributes={
            "langfuse.observation.type": "chain",
            **{name: text for name, text in texts.items() if text is not None},
            **trace_attributes,
            "langfuse.scores": as_list(trace.get("scores")),
        },
        scope="langfuse",
    )
    yield from spans


def _observation(item: Mapping[str, Any], trace: str | None) -> Span | str:
    identifier, trace_id = item.get("id"), item.get("traceId") or trace
    if not isinstance(identifier, str) or not isinstance(trace_id, str):
        return f"observation {read_text(item.get('name'))[:80]!r}: it has no id and traceId"
    start = nanoseconds(item.get("startTime"))
    attribute_names = {**_TRACE_ATTRIBUTES, **_OBSERVATION_ATTRIBUTES}
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
            **{name: item[key] for key, name in attribute_names.items() if item.get(key) is not None},
        },
        scope="langfuse",
    )
