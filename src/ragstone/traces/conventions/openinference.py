"""OpenInference: attributes of Arize's instrumentations, with lists flattened into zero-based names.

Source: github.com/Arize-ai/openinference, spec/semantic_conventions.md, spec/annotations.md (August 2026).
"""

from collections.abc import Iterator, Mapping
from typing import Any

from ragstone.traces.kinds import SpanKind
from ragstone.traces.shapes.documents import make_document
from ragstone.traces.shapes.messages import ModelMessage, read_answers, read_messages
from ragstone.traces.shapes.texts import find_text
from ragstone.traces.shapes.values import (
    as_list,
    as_mapping,
    as_text,
    first_count,
    first_number,
    first_text,
    gather,
    parse_json,
)
from ragstone.traces.span import Span

HIDDEN = "__REDACTED__"  # placeholder that OpenInference records instead of hidden content


def read(span: Span, kind: SpanKind) -> dict[str, Any]:
    """Return the fields that OpenInference's attributes record."""
    values = {name: value for name, value in span.attributes.items() if value != HIDDEN}
    fields: dict[str, Any] = {
        "input": find_text(values.get("input.value"), "input"),
        "output": find_text(values.get("output.value"), "output"),
        "model": first_text(values, "llm.model_name", "llm.response.model_name", "llm.request.model_name"),
        "tokens": {
            "input": first_count(values, "llm.token_count.prompt"),
            "output": first_count(values, "llm.token_count.completion"),
            "cached": first_count(values, "llm.token_count.prompt_details.cache_read"),
        },
        "cost": first_number(values, "llm.cost.total"),
        "session": first_text(values, "session.id"),
        "user": first_text(values, "user.id"),
        "tags": tuple(str(tag) for tag in as_list(values.get("tag.tags"))),
        "feedback": tuple(_feedback(values)),
    }
    if kind == "model":
        fields |= _messages(values)
    if kind in {"retrieval", "rerank"}:
        prefix = "reranker.output_documents" if kind == "rerank" else "retrieval.documents"
        fields["documents"] = tuple(_document(as_mapping(item)) for item in gather(values, prefix))
        fields["query"] = first_text(values, "reranker.query") or fields["input"]
    if kind == "tool":
        fields["tool"] = {
            "name": first_text(values, "tool.name") or span.name,
            "id": first_text(values, "tool.id"),
            "arguments": parse_json(values.get("input.value", values.get("tool.parameters"))),
            "output": parse_json(values.get("output.value")),
        }
    return fields


def _messages(values: Mapping[str, Any]) -> dict[str, Any]:
    inputs = [_message(as_mapping(item)) for item in gather(values, "llm.input_messages")]
    outputs = [_message(as_mapping(item)) for item in gather(values, "llm.output_messages")]
    prompts, choices = (
        [as_mapping(as_mapping(item).get(part)).get("text") for item in gather(values, name)]
        for part, name in (("prompt", "llm.prompts"), ("completion", "llm.choices"))
    )
    return {
        "input_messages": read_messages([item for item in inputs if item])
        or tuple(ModelMessage("user", str(text)) for text in prompts if text)
        or (read_messages(values.get("input.value")) if not inputs else ()),
        "output_messages": read_answers([item for item in outputs if item])
        or tuple(ModelMessage("assistant", str(text)) for text in choices if text)
        or (read_answers(values.get("output.value")) if not outputs else ()),
    }


def _message(item: dict[str, Any]) -> dict[str, Any]:
    message = as_mapping(item.get("message")) or item
    parts = as_list(message.get("contents"))
    blocks = [as_mapping(as_mapping(part).get("message_content") or part) for part in parts]
    content = message.get("content")
    if content == HIDDEN or content is None:
        content = [block for block in blocks if block.get("text") != HIDDEN]
    call_parts = [part for part in parts if "tool_call" in as_mapping(part)]
    return {
        "role": message.get("role", "assistant"),
        "content": content,
        "tool_calls": [*as_list(message.get("tool_calls")), *call_parts],
        "tool_call_id": message.get("tool_call_id"),
    }


def _document(item: dict[str, Any]) -> Any:  # noqa: ANN401  (a TracedDocument)
    document = as_mapping(item.get("document")) or item
    return make_document(*(document.get(name) for name in ("content", "id", "score", "metadata")))


def _feedback(values: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the scores on the span for the span itself, its trace or its session."""
    for target in ("", "trace.", "session."):
        for plural, singular in (("annotations", "annotation"), ("evaluations", "evaluation")):
            for item in gather(values, f"{target}{plural}"):
                entry = as_mapping(as_mapping(item).get(singular)) or as_mapping(item)
                if as_text(entry.get("name")):
                    fields = {name: entry[name] for name in _FEEDBACK_FIELDS if entry.get(name) is not None}
                    yield {**fields, "target": target.rstrip(".") or "span"}


_FEEDBACK_FIELDS = ("name", "score", "label", "explanation", "annotator_kind", "identifier")
