"""Langfuse's SDK over OpenTelemetry: inputs and outputs of traces and observations, as JSON texts."""

from typing import Any

from ragstone.traces.kinds import SpanKind
from ragstone.traces.shapes.documents import read_documents
from ragstone.traces.shapes.messages import read_answers, read_messages
from ragstone.traces.shapes.texts import find_text
from ragstone.traces.shapes.values import (
    as_list,
    as_mapping,
    as_text,
    finite,
    first_count,
    first_number,
    first_text,
    parse_json,
)
from ragstone.traces.span import Span

_OBSERVATION = "langfuse.observation"


def read(span: Span, kind: SpanKind) -> dict[str, Any]:
    """Return the fields that Langfuse's attributes record."""
    values = span.attributes
    inputs, outputs = values.get(f"{_OBSERVATION}.input"), values.get(f"{_OBSERVATION}.output")
    usage = as_mapping(values.get(f"{_OBSERVATION}.usage_details"))
    cost = as_mapping(values.get(f"{_OBSERVATION}.cost_details"))
    fields: dict[str, Any] = {
        "input": find_text(values.get("langfuse.trace.input", inputs), "input"),
        "output": find_text(values.get("langfuse.trace.output", outputs), "output"),
        "model": first_text(values, f"{_OBSERVATION}.model.name"),
        "tokens": {
            "input": first_count(usage, "input", "input_tokens", "prompt_tokens"),
            "output": first_count(usage, "output", "output_tokens", "completion_tokens"),
            "cached": first_count(usage, "input_cached_tokens", "cache_read_input_tokens"),
        },
        "cost": first_number(cost, "total") if cost else None,
        "session": first_text(values, "session.id", "langfuse.session.id"),
        "user": first_text(values, "user.id", "langfuse.user.id"),
        "tags": tuple(str(tag) for tag in as_list(values.get("langfuse.trace.tags"))),
        "environment": first_text(values, "langfuse.environment"),
        "release": first_text(values, "langfuse.release"),
        "expected_output": find_text(values.get("langfuse.experiment.item.expected_output"), "output"),
        "item": first_text(values, "langfuse.experiment.item.id"),
    }
    if kind == "model":
        fields["input_messages"], fields["output_messages"] = read_messages(inputs), read_answers(outputs)
    if kind in {"retrieval", "rerank"}:
        fields["documents"], fields["query"] = read_documents(outputs), find_text(inputs, "input")
    if kind == "tool" and (inputs is not None or outputs is not None):
        fields["tool"] = {"name": span.name, "arguments": parse_json(inputs), "output": parse_json(outputs)}
    scores = as_list(values.get("langfuse.scores"))  # set by the reader of exports
    fields["feedback"] = tuple(_score(as_mapping(item)) for item in scores)
    return fields


def _score(item: dict[str, Any]) -> dict[str, Any]:
    number = item.get("value")
    score = finite(number)
    fields = {
        "name": as_text(item.get("name")) or "score",
        "score": score,
        "label": as_text(item.get("stringValue")) or (as_text(number) if score is None else None),
        "explanation": as_text(item.get("comment")),
        "annotator_kind": {"ANNOTATION": "HUMAN", "EVAL": "LLM"}.get(str(item.get("source"))),
        "target": "span" if item.get("observationId") else "trace",
    }
    return {name: value for name, value in fields.items() if value is not None}
