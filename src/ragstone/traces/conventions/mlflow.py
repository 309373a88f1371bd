"""MLflow's tracing: inputs and outputs of spans, every attribute a JSON text."""

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


def read(span: Span, kind: SpanKind) -> dict[str, Any]:
    """Return the fields that MLflow's attributes record."""
    values = {
        name: parse_json(value) for name, value in span.attributes.items() if name.startswith("mlflow.")
    }
    inputs, outputs = values.get("mlflow.spanInputs"), values.get("mlflow.spanOutputs")
    usage = as_mapping(values.get("mlflow.chat.tokenUsage"))
    cost = as_mapping(values.get("mlflow.llm.cost"))
    fields: dict[str, Any] = {
        "input": find_text(inputs, "input"),
        "output": find_text(outputs, "output"),
        "model": first_text(values, "mlflow.llm.model"),
        "tokens": {
            "input": first_count(usage, "input_tokens"),
            "output": first_count(usage, "output_tokens"),
            "cached": first_count(usage, "cache_read_input_tokens"),
        },
        "cost": first_number(cost, "total_cost", "total"),
        "session": first_text(values, "mlflow.trace.session"),
        "user": first_text(values, "mlflow.trace.user"),
    }
    if kind == "model":
        fields["input_messages"], fields["output_messages"] = read_messages(inputs), read_answers(outputs)
    if kind in {"retrieval", "rerank"}:
        fields["documents"], fields["query"] = read_documents(outputs), find_text(inputs, "input")
    if kind == "tool" and (inputs is not None or outputs is not None):
        fields["tool"] = {"name": span.name, "arguments": inputs, "output": outputs}
    assessments = [as_mapping(item) for item in as_list(values.get("mlflow.assessments"))]
    fields["feedback"] = tuple(_feedback(item) for item in assessments if "feedback" in item)
    expected = [as_mapping(item["expectation"]).get("value") for item in assessments if "expectation" in item]
    fields["expected_output"] = next(
        (text for value in expected if (text := find_text(value, "output"))), None
    )
    return fields


def _feedback(item: dict[str, Any]) -> dict[str, Any]:
    value = as_mapping(item.get("feedback")).get("value")
    kind = str(as_mapping(item.get("source")).get("source_type") or "")
    score = float(value) if isinstance(value, bool) else finite(value)
    fields = {
        "name": as_text(item.get("assessment_name") or item.get("name")) or "feedback",
        "score": score,
        "label": as_text(value) if score is None else None,
        "explanation": as_text(item.get("rationale")),
        "annotator_kind": {"LLM_JUDGE": "LLM", "HUMAN": "HUMAN", "CODE": "CODE"}.get(kind),
        "target": "span" if item.get("span_id") else "trace",
    }
    return {name: known for name, known in fields.items() if known is not None}
