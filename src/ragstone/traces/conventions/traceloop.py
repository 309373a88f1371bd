"""OpenLLMetry (Traceloop): entities of workflows and tasks, results of vector stores as events.

Model calls use the attribute names of OpenTelemetry, in older versions `gen_ai.prompt.0.content`: see `gen_ai`.
"""

from typing import Any

from ragstone.traces.kinds import SpanKind
from ragstone.traces.shapes.documents import make_document, read_documents
from ragstone.traces.shapes.texts import find_text
from ragstone.traces.shapes.values import as_mapping, first_count, first_text, parse_json
from ragstone.traces.span import Span

_PREFIX = "traceloop.association.properties."


def read(span: Span, kind: SpanKind) -> dict[str, Any]:
    """Return the fields that Traceloop's attributes and events record."""
    values = span.attributes
    inputs, outputs = values.get("traceloop.entity.input"), values.get("traceloop.entity.output")
    fields: dict[str, Any] = {
        "input": find_text(inputs, "input"),
        "output": find_text(outputs, "output"),
        "session": first_text(
            values, f"{_PREFIX}session_id", f"{_PREFIX}chat_id", f"{_PREFIX}conversation_id"
        ),
        "user": first_text(values, f"{_PREFIX}user_id"),
        "tokens": {"total": first_count(values, "llm.usage.total_tokens", "gen_ai.usage.total_tokens")},
    }
    if kind == "retrieval":
        fields["documents"] = _search_results(span) or read_documents(outputs)
        fields["query"] = find_text(inputs, "input")
    if kind == "tool" and (inputs is not None or outputs is not None):
        fields["tool"] = {
            "name": first_text(values, "traceloop.entity.name") or span.name,
            "arguments": _unwrap(inputs, "inputs", "kwargs", "args"),
            "output": _unwrap(outputs, "outputs", "output"),
        }
    return fields


def _search_results(span: Span) -> tuple[Any, ...]:
    results: list[Any] = []
    for event in span.events:
        if event.name not in ("db.query.result", "db.search.result"):
            continue
        values, name = event.attributes, event.name
        entity = as_mapping(values.get(f"{name}.entity"))
        text = values.get(f"{name}.document") or entity.get("text") or entity.get("content")
        metadata = as_mapping(values.get(f"{name}.metadata"))
        score = values.get(f"{name}.score")  # `distance` is not read as a score: a lower distance is better
        results.append(make_document(text or metadata.get("text"), values.get(f"{name}.id"), score, metadata))
    return tuple(results)


def _unwrap(value: object, *names: str) -> Any:  # noqa: ANN401
    parsed = parse_json(value)
    mapping = as_mapping(parsed)
    return next((mapping[name] for name in names if mapping.get(name) not in (None, {}, [])), parsed)
