"""Vercel's AI SDK, Pydantic AI and Google's ADK: their own attributes, used in addition to OpenTelemetry's."""

from typing import Any

from ragstone.traces.kinds import SpanKind
from ragstone.traces.shapes.messages import ModelMessage, read_answers, read_messages
from ragstone.traces.shapes.texts import find_text
from ragstone.traces.shapes.values import as_list, as_mapping, first_count, first_text, parse_json
from ragstone.traces.span import Span


def read(span: Span, kind: SpanKind) -> dict[str, Any]:
    """Return the fields that the attributes of the three libraries record."""
    values = span.attributes
    prompt = values.get("ai.prompt.messages", values.get("ai.prompt"))
    reply = first_text(values, "ai.response.text", "ai.result.text", "ai.response.object", "ai.result.object")
    fields: dict[str, Any] = {
        "input": find_text(prompt, "input") or _last_question(values.get("pydantic_ai.all_messages")),
        "output": reply or find_text(values.get("final_result"), "output"),
        "model": first_text(values, "ai.model.id"),
        "tokens": {
            "input": first_count(values, "ai.usage.promptTokens", "ai.usage.inputTokens"),
            "output": first_count(values, "ai.usage.completionTokens", "ai.usage.outputTokens"),
        },
        "session": first_text(values, "ai.telemetry.metadata.sessionId"),
        "user": first_text(values, "ai.telemetry.metadata.userId"),
    }
    if kind == "model":
        calls = as_list(values.get("ai.response.toolCalls", values.get("ai.result.toolCalls")))
        named_calls = [{"name": as_mapping(call).get("toolName"), **as_mapping(call)} for call in calls]
        answer = read_answers([{"role": "assistant", "content": reply, "tool_calls": named_calls}])
        fields["input_messages"] = read_messages(prompt) or _gemini_messages(
            values.get("gcp.vertex.agent.llm_request")
        )
        fields["output_messages"] = answer or _gemini_messages(values.get("gcp.vertex.agent.llm_response"))
    if kind == "tool" and "ai.toolCall.name" in values:
        fields["tool"] = {
            "name": first_text(values, "ai.toolCall.name"),
            "id": first_text(values, "ai.toolCall.id"),
            "arguments": parse_json(values.get("ai.toolCall.args", values.get("ai.toolCall.input"))),
            "output": parse_json(values.get("ai.toolCall.result", values.get("ai.toolCall.output"))),
        }
    return fields


def _last_question(value: object) -> str | None:
    """Return the last message of the user among the messages of a whole run."""
    questions = [
        message.text for message in read_messages(value) if message.role == "user" and message.text.strip()
    ]
    return questions[-1] if questions else None


def _gemini_messages(value: object) -> tuple[ModelMessage, ...]:
    """Return the messages of a Gemini request or response, whose contents consist of parts with text."""
    payload = as_mapping(value)
    contents = as_list(payload.get("contents")) or ([payload["content"]] if payload.get("content") else [])
    messages: list[ModelMessage] = []
    for item in contents:
        content = as_mapping(item)
        texts = [str(as_mapping(part).get("text") or "") for part in as_list(content.get("parts"))]
        messages += read_messages(
            [{"role": content.get("role") or "user", "content": "\n".join(filter(None, texts))}]
        )
    return tuple(messages)
