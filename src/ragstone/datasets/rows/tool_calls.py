"""Conversion of other tools' formats of tool calls to the fields of `ToolCall`."""

import json
from typing import Any, cast

from ragstone.datasets.rows.cells import parse_mapping

_ALIASES = {
    "name": ("name", "tool_name", "tool"),
    "input_parameters": ("input_parameters", "inputParameters", "args", "arguments", "parameters"),
    "output": ("output", "result"),
    "error": ("error",),
    "description": ("description",),
    "reasoning": ("reasoning",),
}


def tool_calls(value: list[Any]) -> list[Any]:
    """Return each call as a mapping of `ToolCall`'s fields; other values are left for validation to reject."""
    return [_tool_call(item) for item in value]


def _tool_call(item: Any) -> Any:  # noqa: ANN401
    if isinstance(item, str):
        return {"name": item}
    if not isinstance(item, dict):
        return item
    call = cast("dict[str, Any]", item)
    function = call.get("function")  # the shape of OpenAI's messages
    source: dict[str, Any] = cast("dict[str, Any]", function) if isinstance(function, dict) else call
    fields = {field: _first_value(source, names) for field, names in _ALIASES.items()}
    if isinstance(fields["input_parameters"], str):
        fields["input_parameters"] = parse_mapping(fields["input_parameters"]) or fields["input_parameters"]
    fields["error"] = _error(fields["error"])
    return {field: value for field, value in fields.items() if value is not None}


def _error(value: object) -> str | None:
    """Return the error as a text; None for false and empty values, which mean no error."""
    if not value:
        return None
    return value if isinstance(value, str) else "error" if value is True else json.dumps(value, default=repr)


def _first_value(source: dict[str, Any], names: tuple[str, ...]) -> Any:  # noqa: ANN401
    return next((source[name] for name in names if source.get(name) is not None), None)
