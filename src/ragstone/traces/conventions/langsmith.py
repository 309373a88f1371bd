"""LangSmith: inputs and outputs of exported runs. The reader of exports sets the names of these attributes."""

from typing import Any

from ragstone.traces.kinds import SpanKind
from ragstone.traces.shapes.documents import read_documents
from ragstone.traces.shapes.messages import read_answers, read_messages
from ragstone.traces.shapes.texts import find_text
from ragstone.traces.shapes.values import as_list, as_mapping, first_count, first_number, first_text
from ragstone.traces.span import Span


def read(span: Span, kind: SpanKind) -> dict[str, Any]:
    """Return the fields that a LangSmith run records."""
    values = span.attributes
    inputs, outputs = values.get("langsmith.inputs"), values.get("langsmith.outputs")
    metadata = as_mapping(values.get("langsmith.metadata"))
    fields: dict[str, Any] = {
        "input": find_text(inputs, "input"),
        "output": find_text(outputs, "output"),
        "model": first_text(metadata, "ls_model_name"),
        "tokens": {
            "input": first_count(values, "langsmith.prompt_tokens"),
            "output": first_count(values, "langsmith.completion_tokens"),
        },
        "cost": first_number(values, "langsmith.total_cost"),
        "session": first_text(metadata, "session_id", "thread_id", "conversation_id"),
        "user": first_text(metadata, "user_id"),
        "tags": tuple(str(tag) for tag in as_list(values.get("langsmith.tags"))),
        "expected_output": find_text(values.get("langsmith.reference_outputs"), "output"),
        "item": first_text(values, "langsmith.reference_example_id"),
        "feedback": tuple(_feedback(values.get("langsmith.feedback_stats"))),
    }
    if kind == "model":
        fields["input_messages"], fields["output_messages"] = read_messages(inputs), read_answers(outputs)
    if kind == "retrieval":
        fields["documents"], fields["query"] = read_documents(outputs), find_text(inputs, "input")
    if kind == "tool":
        fields["tool"] = {
            "name": span.name,
            "arguments": inputs,
            "output": as_mapping(outputs).get("output", outputs),
        }
    return fields


def _feedback(stats: object) -> list[dict[str, Any]]:
    """Return the mean of each kind of feedback. An export of runs has no individual scores."""
    means = {name: first_number(as_mapping(summary), "avg") for name, summary in as_mapping(stats).items()}
    return [
        {"name": name, "score": mean, "target": "span"} for name, mean in means.items() if mean is not None
    ]
