"""Values that were written as Python writes them, with `str()` or `repr()`: mappings, and messages of LangChain."""

import ast
import re
from typing import Any

_MAX_CHARACTERS = 128 * 1024
"""Most characters passed to Python's parser, which takes some hundred times as much memory as the text."""

_STRING = r"""(?:'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+")"""
_MESSAGE = re.compile(
    rf"(?:(?P<kind>[A-Z]\w*?)Message(?:Chunk)?\()?content=(?P<content>{_STRING})(?=[,)\s]|\Z)", re.DOTALL
)
_OTHER_FIELDS = re.compile(
    r"[ ,]\s*(?:additional_kwargs|response_metadata|example|usage_metadata|tool_calls|id|name)="
)
_OF_ANSWERS = re.compile(
    r"\b(?:usage_metadata=|tool_calls=|response_metadata=\{[^}]|id='(?:lc_)?(?:run|chatcmpl))"
)
_OF_TOOLS = re.compile(r"\btool_call_id=")
_ROLES = {"Human": "user", "AI": "assistant", "System": "system", "Tool": "tool", "Function": "tool"}


def parse_literal(text: str) -> Any:  # noqa: ANN401  (any value)
    """Return the value of a Python mapping or list of mappings, None if it is not one."""
    if len(text) > _MAX_CHARACTERS:
        return None
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None


def parse_messages(text: str) -> list[dict[str, Any]]:
    """Return the messages in a text such as `content='Why?' additional_kwargs={}`; none if it is another text.

    `[HumanMessage(content='Why?', …), AIMessage(…)]` has a class, and so a role, for each; without one only an answer
    of a model and a tool's result are recognised, by their fields.
    """
    stripped = text.strip()
    if len(text) > _MAX_CHARACTERS or not _MESSAGE.match(stripped.removeprefix("[")):
        return []
    if not stripped.startswith("[") and not _OTHER_FIELDS.search(stripped) and not stripped.endswith(")"):
        return []
    found = [item for item in _MESSAGE.finditer(stripped) if item["kind"] or item.start() == 0]
    messages = [{"content": ast.literal_eval(item["content"])} for item in found]
    if len(found) == 1 and not found[0]["kind"]:
        return [messages[0] | _role_by_fields(stripped[found[0].end() :])]
    return [
        message | {"role": _ROLES.get(item["kind"], "user")}
        for message, item in zip(messages, found, strict=True)
    ]


def _role_by_fields(rest: str) -> dict[str, str]:
    """Return the role of a message without a class, from the fields that only an answer or a tool's result has."""
    if _OF_TOOLS.search(rest):
        return {"role": "tool"}
    return {"role": "assistant"} if _OF_ANSWERS.search(rest) else {}
