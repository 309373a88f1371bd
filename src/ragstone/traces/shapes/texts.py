"""The question and the answer in the inputs and outputs of an application, under commonly used names."""

import re
from collections.abc import Mapping
from typing import Any, Literal, cast

from ragstone.case import ALIASES
from ragstone.traces.shapes.messages import is_message, last_text, read_answers, read_messages
from ragstone.traces.shapes.values import as_list, as_mapping, parse_json

Side = Literal["input", "output"]
_TEXT_NAMES: dict[Side, tuple[str, ...]] = {
    "input": (
        *(*ALIASES["input"], "prompt", "inputs", "kwargs", "args"),
        *("message", "messages", "text", "content"),
    ),
    "output": (
        *(*ALIASES["actual_output"], "result", "outputs", "final_result", "completion", "reply"),
        *("text", "content", "message", "messages", "choices"),
    ),
}
_MAX_DEPTH = 5


def find_text(value: object, side: Side, depth: int = 0) -> str | None:
    """Return the question (`input`) or the answer (`output`) in a value; None if no known name holds one.

    A text that is not JSON is returned unchanged.
    """
    parsed = parse_json(value)
    if isinstance(parsed, str):
        return parsed if parsed.strip() else None
    if depth >= _MAX_DEPTH:
        return None
    if isinstance(parsed, dict):
        return _in_mapping(cast("dict[str, Any]", parsed), side, depth)
    if isinstance(parsed, list):
        return _in_list(cast("list[Any]", parsed), side, depth)
    return None


def _in_mapping(values: Mapping[str, Any], side: Side, depth: int) -> str | None:
    if is_message(dict(values)):
        return _message_text(values, side)
    by_name = {_snake_case(name): item for name, item in values.items()}
    for name in _TEXT_NAMES[side]:
        text = find_text(by_name[name], side, depth + 1) if name in by_name else None
        if text is not None:
            return text
    texts = [item for item in values.values() if isinstance(item, str) and item.strip()]
    return find_text(texts[0], side, depth + 1) if len(texts) == 1 else None


def _in_list(items: list[Any], side: Side, depth: int) -> str | None:
    if items and isinstance(items[0], dict) and is_message(cast("dict[str, Any]", items[0])):
        return _message_text(items, side)
    written = [parse_json(item) for item in items if isinstance(item, str)]
    # Messages as Python writes them.
    if len(items) > 1 and written and all(isinstance(item, list) for item in written):
        messages = [{"role": "user", **as_mapping(message)} for item in written for message in as_list(item)]
        return _message_text(messages, side)
    if side == "input" or len(items) == 1:  # the first argument of a function is taken as the question
        return next((text for item in items if (text := find_text(item, side, depth + 1))), None)
    return None


def _message_text(value: object, side: Side) -> str | None:
    if side == "input":
        return last_text(read_messages(value), "user")
    return last_text(read_answers(value), "assistant")


def _snake_case(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.strip()).lower().replace("-", "_").replace(" ", "_")
