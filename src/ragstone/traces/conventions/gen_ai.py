"""OpenTelemetry's conventions for generative AI, new and old: attributes, events, log records.

Source: open-telemetry/semantic-conventions-genai (status development, 2026); before that semantic-conventions, where
messages were events up to version 1.36.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from ragstone.traces.kinds import SpanKind
from ragstone.traces.shapes.documents import read_documents
from ragstone.traces.shapes.messages import ModelMessage, read_answers, read_messages, read_system
from ragstone.traces.shapes.values import (
    as_list,
    as_mapping,
    first_count,
    first_number,
    first_text,
    gather,
    known,
    parse_json,
)
from ragstone.traces.span import Span, SpanEvent

_DETAILS_EVENT = "gen_ai.client.inference.operation.details"
_EVALUATION_EVENT = "gen_ai.evaluation.result"
_PROMPT_ROLES = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}


def read(span: Span, kind: SpanKind) -> dict[str, Any]:
    """Return the fields that the attributes and events of the conventions record."""
    values: dict[str, Any] = dict(span.attributes)
    for event in span.events:
        if event.name == _DETAILS_EVENT:
            values = {**as_mapping(event.body), **event.attributes, **values}
    prompt, answer = _event_messages((*span.events, *_listed_events(values)))
    fields: dict[str, Any] = {
        "input_messages": _input_messages(values) or prompt,
        "output_messages": _output_messages(values) or answer,
        "model": first_text(values, "gen_ai.response.model", "gen_ai.request.model"),
        "response_id": first_text(values, "gen_ai.response.id"),
        "tokens": {
            "input": first_count(values, "gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens"),
            "output": first_count(values, "gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens"),
            "cached": first_count(
                values, "gen_ai.usage.cache_read.input_tokens", "gen_ai.usage.cache_read_input_tokens"
            ),
        },
        "session": first_text(values, "gen_ai.conversation.id"),
        "feedback": tuple(_evaluation(event) for event in span.events if event.name == _EVALUATION_EVENT),
    }
    if kind == "retrieval":
        fields["query"] = first_text(values, "gen_ai.retrieval.query.text", "gen_ai.retrieval.query")
        fields["documents"] = read_documents(values.get("gen_ai.retrieval.documents"))
    if kind == "tool":
        fields["tool"] = _tool(values, span.name)
    return fields


def _input_messages(values: Mapping[str, Any]) -> tuple[ModelMessage, ...]:
    messages = read_messages(values.get("gen_ai.input.messages"))
    if not messages:  # OpenLLMetry, and OpenTelemetry before it had messages
        messages = read_messages(gather(values, "gen_ai.prompt"))
    return (*read_system(values.get("gen_ai.system_instructions")), *messages)


def _output_messages(values: Mapping[str, Any]) -> tuple[ModelMessage, ...]:
    return read_answers(as_list(values.get("gen_ai.output.messages"))[:1]) or read_answers(
        [{"role": "assistant", **as_mapping(item)} for item in gather(values, "gen_ai.completion")[:1]]
    )


def _listed_events(values: Mapping[str, Any]) -> Iterator[SpanEvent]:
    """Yield the events that Pydantic AI writes into one attribute."""
    for name in ("events", "all_messages_events"):
        for item in as_list(values.get(name)):
            body = as_mapping(item)
            yield SpanEvent(str(body.get("event.name") or ""), body=body)


def _event_messages(
    events: tuple[SpanEvent, ...],
) -> tuple[tuple[ModelMessage, ...], tuple[ModelMessage, ...]]:
    prompts: list[ModelMessage] = []
    answers: list[ModelMessage] = []
    for event in events:
        values = {
            **event.attributes,
            **as_mapping(event.attributes.get("gen_ai.event.content")),
            **as_mapping(event.body),
        }
        if event.name in _PROMPT_ROLES:
            prompts += read_messages([_raw_message(values, _PROMPT_ROLES[event.name])])
        elif event.name == "gen_ai.choice" and not values.get("index"):
            content = values.get("message") or values.get("content")
            message = as_mapping(values.get("message")) or {"content": content}
            answers += read_answers([_raw_message({**values, **message}, "assistant")])
        elif event.name == "gen_ai.content.prompt":
            prompts += read_messages(values.get("gen_ai.prompt"))
        elif event.name == "gen_ai.content.completion":
            answers += read_answers(values.get("gen_ai.completion"))
    return tuple(prompts), tuple(answers)


def _raw_message(values: Mapping[str, Any], role: str) -> dict[str, Any]:
    return {
        "role": values.get("role") or role,
        "content": values.get("content"),
        "tool_calls": values.get("tool_calls"),
        "tool_call_id": values.get("id") if role == "tool" else None,
    }


def _tool(values: Mapping[str, Any], name: str) -> dict[str, Any]:
    names = ("gen_ai.tool.call.arguments", "tool_arguments", "gcp.vertex.agent.tool_call_args")
    results = ("gen_ai.tool.call.result", "tool_response", "gcp.vertex.agent.tool_response")
    return {
        "name": first_text(values, "gen_ai.tool.name") or name.removeprefix("execute_tool "),
        "id": first_text(values, "gen_ai.tool.call.id"),
        "arguments": next((parse_json(values[key]) for key in names if key in values), None),
        "output": next((parse_json(values[key]) for key in results if key in values), None),
        "datastore": values.get("gen_ai.tool.type") == "datastore",
    }


def _evaluation(event: SpanEvent) -> dict[str, Any]:
    values = {**as_mapping(event.body), **event.attributes}
    return known(
        name=first_text(values, "gen_ai.evaluation.name"),
        score=first_number(values, "gen_ai.evaluation.score.value"),
        label=first_text(values, "gen_ai.evaluation.score.label"),
        explanation=first_text(values, "gen_ai.evaluation.explanation"),
        target="span",
    )
