"""What a model's text shows: whether an answer has begun, whether it obeys the schema, whether it is only thoughts."""

import json
from collections.abc import Mapping
from typing import Any, cast

_THOUGHT_TAGS = ("<think", "<|channel|>analysis", "<reasoning", "<thought")
_ANSWER_STARTS = ("{", "[", "```")


def is_thought(text: str) -> bool:
    """Return whether a text that ended early contains nothing of the answer: it is empty, or marked as thoughts."""
    return not text.strip() or (text.lstrip().startswith(_THOUGHT_TAGS) and "{" not in text)


def has_begun(text: str) -> bool:
    """Return whether a text that ended early is the beginning of an answer, not thoughts or prose before it."""
    return text.lstrip().startswith(_ANSWER_STARTS)


def obeys_schema(text: str, schema: Mapping[str, Any], *, is_cut: bool = False) -> bool | None:
    """Return whether an answer shows that the server constrains it to the schema; None where it shows neither.

    It is shown by an object with exactly the fields of the schema, or, in an answer that is cut off, with the first of
    them. An object without any of them, and prose, show that the schema was ignored. Nothing is shown by an empty
    answer, by thoughts, and by JSON that is damaged or inside prose: one such answer does not describe the server.
    """
    names: list[str] = list(schema.get("required", ()))
    if is_thought(text) or not names:
        return None
    if is_cut and has_begun(text):
        return text.split('"', 2)[1:2] == names[:1] or None
    return _has_fields(text, names) if "{" in text else False


def _has_fields(text: str, names: list[str]) -> bool | None:
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    found = cast("dict[str, object]", value).keys()
    return found == set(names) or (False if found.isdisjoint(names) else None)
