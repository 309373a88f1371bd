"""Chat messages in the formats of instrumentations: OpenTelemetry (parts), OpenAI, Anthropic and LangChain."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from ragstone.traces.shapes.values import as_list, as_mapping, as_text, parse_json

_ROLES = {
    "human": "user",
    "user": "user",
    "ai": "assistant",
    "assistant": "assistant",
    "model": "assistant",
    "system": "system",
    "developer": "system",
    "tool": "tool",
    "function": "tool",
}
_TEXT_TYPES = ("text", "input_text", "output_text")
_PROMPT_NAMES = ("messages", "input", "contents", "prompt", "prompts", "inputs")
_ANSWER_NAMES = ("choices", "generations", "output", "message", "messages", "outputs", "response")


@dataclass(frozen=True, slots=True)
class ModelToolCall:
    """A tool call in a message of a model; `arguments` is a mapping, or the recorded text if it is not JSON."""

    name: str
    arguments: Any = None
    id: str | None = None


@dataclass(frozen=True, slots=True)
class ModelMessage:
    """A message to or from a model.

    Attributes:
        role: `user`, `assistant`, `system`, `tool`, or another recorded role.
        text: text of the message; for a tool, its result.
        call_id: for the result of a tool, the id of its call.
        images: number of parts that are not text: images, sound, files.
        failed: whether it is the result of a failed call.
    """

    role: str
    text: str = ""
    calls: tuple[ModelToolCall, ...] = field(default=())
    call_id: str | None = None
    images: int = 0
    failed: bool = False


def read_messages(value: object) -> tuple[ModelMessage, ...]:
    """Return the messages of a prompt, in order; a plain text becomes a message of the user."""
    parsed = parse_json(value)
    if isinstance(parsed, str):
        return (ModelMessage("user", parsed),) if parsed.strip() else ()
    if isinstance(parsed, dict):
        values = cast("dict[str, Any]", parsed)
        if is_message(values):
            return tuple(_messages(values))
        system = tuple(
            message
            for part in (values.get("system"), values.get("instructions"))
            for message in read_system(part)
        )
        inner = next((read_messages(values[name]) for name in _PROMPT_NAMES if values.get(name)), ())
        return (*system, *inner)
    items = cast("list[Any]", parsed) if isinstance(parsed, list) else []
    if items and all(isinstance(item, list) for item in items):  # LangChain: a list of prompts
        return read_messages(items[0])
    return tuple(message for item in items for message in _item_messages(item))


def read_answers(value: object) -> tuple[ModelMessage, ...]:
    """Return the messages of a model's answer; a plain text becomes one message."""
    parsed = parse_json(value)
    if isinstance(parsed, str):
        return (ModelMessage("assistant", parsed),) if parsed.strip() else ()
    if isinstance(parsed, list):
        return tuple(message for item in cast("list[Any]", parsed) for message in read_answers(item))
    if not isinstance(parsed, dict):
        return ()
    values = cast("dict[str, Any]", parsed)
    if is_message(values):
        return tuple(_messages({"role": "assistant", **values}))
    for name in _ANSWER_NAMES:
        if values.get(name):
            return read_answers(values[name])
    text = values.get("text") or values.get("content") or values.get("completion")
    return read_answers(text) if isinstance(text, str) else ()


def read_system(value: object) -> tuple[ModelMessage, ...]:
    """Return instructions, given as a text or a list of parts, as a system message."""
    parsed = parse_json(value)
    parts = cast("list[Any]", parsed) if isinstance(parsed, list) else [parsed]
    text = "\n".join(
        part
        if isinstance(part, str)
        else str(as_mapping(part).get("content") or as_mapping(part).get("text") or "")
        for part in parts
        if part
    )
    return (ModelMessage("system", text),) if text.strip() else ()


def is_message(values: dict[str, Any]) -> bool:
    """Return whether a mapping is one chat message."""
    inner = values.get("kwargs") if values.get("type") == "constructor" else values
    if not isinstance(inner, dict):
        return False
    message = cast("dict[str, Any]", inner)
    role = message.get("role", message.get("type"))
    return (isinstance(role, str) and role in _ROLES and ("content" in message or "parts" in message)) or (
        "role" in message and ("tool_calls" in message or "content" in message or "parts" in message)
    )


def last_text(messages: Sequence[ModelMessage], role: str) -> str | None:
    """Return the text of the last message of a role that has text and calls no tool; None without one."""
    texts = (message.text for message in reversed(messages) if message.role == role and not message.calls)
    return next((text for text in texts if text.strip()), None)


def _item_messages(item: object) -> Iterator[ModelMessage]:
    if isinstance(item, str):
        found = parse_json(item)
        if isinstance(found, list):
            yield from read_messages(cast("list[Any]", found))
        else:
            yield ModelMessage("user", item)
    elif isinstance(item, list) and len(cast("list[Any]", item)) == 2:  # noqa: PLR2004  (role and text)
        role, text = cast("list[Any]", item)
        yield ModelMessage(_ROLES.get(str(role), str(role)), str(text))
    elif isinstance(item, dict):
        yield from _messages(cast("dict[str, Any]", item))


def _messages(values: dict[str, Any]) -> Iterator[ModelMessage]:
    """Yield a message, and another one for each tool result in it."""
    if values.get("type") == "constructor":
        name = str((as_list(values.get("id")) or ["?"])[-1])
        kind = name.removesuffix("Chunk").removesuffix("Message").lower()
        values = {"type": kind, **as_mapping(values.get("kwargs"))}
    if values.get("type") == "function_call_output":  # OpenAI Responses API
        result = as_text(values.get("output")) or ""
        yield ModelMessage("tool", result, call_id=as_text(values.get("call_id")))
        return
    role = str(values.get("role") or values.get("type") or "user")
    role = _ROLES.get(role.lower(), role)
    parts = values.get("parts", values.get("content"))
    parts = cast("list[Any]", parts) if isinstance(parts, list) else [parts]
    texts: list[str] = []
    calls = [call for item in as_list(values.get("tool_calls")) if (call := _tool_call(item)) is not None]
    images = 0
    for part in parts:
        block = cast("dict[str, Any]", part) if isinstance(part, dict) else {"type": "text", "text": part}
        kind = str(block.get("type", "text"))
        if kind in {"tool_call_response", "tool_result"}:
            yield _result(block)
        elif kind in {"tool_call", "tool_use", "function_call"}:
            call = _tool_call(block)
            calls += [call] if call is not None else []
        elif kind in _TEXT_TYPES:
            text = block.get("text", block.get("content"))
            texts.append(text if isinstance(text, str) else (as_text(text) or ""))
        elif kind not in {"reasoning", "thinking"}:
            images += 1
    call_id = values.get("tool_call_id")
    if (texts and any(text.strip() for text in texts)) or calls or images or call_id:
        text = "\n".join(filter(None, texts))
        yield ModelMessage(role, text, tuple(calls), as_text(call_id), images, _failed(values))


def _result(block: dict[str, Any]) -> ModelMessage:
    value = next((block[name] for name in ("response", "result", "content", "output") if name in block), None)
    call_id = as_text(block.get("id") or block.get("tool_use_id"))
    return ModelMessage("tool", as_text(value) or "", call_id=call_id, failed=_failed(block))


def _failed(values: dict[str, Any]) -> bool:
    """Return whether a tool's result reports a failed call, in the format of Anthropic or LangChain."""
    return values.get("is_error") is True or values.get("status") == "error"


def _tool_call(item: object) -> ModelToolCall | None:
    call = as_mapping(item)
    call = as_mapping(call.get("tool_call")) or call  # OpenInference
    inner = as_mapping(call.get("function")) or call
    name = inner.get("name")
    if not isinstance(name, str):
        return None
    arguments = next((inner[key] for key in ("arguments", "args", "input") if key in inner), None)
    return ModelToolCall(name, parse_json(arguments), as_text(call.get("id") or call.get("call_id")))
