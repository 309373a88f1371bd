"""What Anthropic refuses in a request, in its own words: `path.to.field: what is wrong`."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from tests.servers._fields import (
    Field,
    Misfit,
    anything,
    flag,
    integer,
    listed,
    mapping,
    misfit,
    number,
    text,
)
from tests.servers._json_schema import schema_error
from tests.servers._traffic import WireError

_BODY: Mapping[str, Field] = {
    "model": text(required=True),
    "messages": listed(required=True),
    "max_tokens": integer(1, required=True),
    "cache_control": mapping(),
    "container": anything(),
    "diagnostics": mapping(),
    "inference_geo": text(),
    "metadata": mapping(),
    "output_config": mapping(),
    "service_tier": text("auto", "standard_only"),
    "speed": text("standard", "fast"),
    "stop_sequences": listed(),
    "stream": flag(),
    "system": Field((str, list)),
    "temperature": number(0, 1),
    "thinking": mapping(),
    "tool_choice": mapping(),
    "tools": listed(),
    "top_k": integer(0),
    "top_p": number(0, 1),
    "user_profile_id": text(),
    "workspace_id": text(),
}
_SAMPLING = ("temperature", "top_p", "top_k")
VERSIONS = ("2023-01-01", "2023-06-01", "2026-10-21")
_WITHOUT_SAMPLING = "2026-10-21"
_TOOL: Mapping[str, Field] = {
    "name": text(required=True),
    "input_schema": mapping(required=True),
    "description": text(),
    "type": text("custom"),
    "cache_control": mapping(),
    "strict": flag(),
    "input_examples": listed(),
    "defer_loading": flag(),
    "eager_input_streaming": flag(),
    "allowed_callers": listed(),
}
_CHOICES: Mapping[str, frozenset[str]] = {
    "auto": frozenset({"type", "disable_parallel_tool_use"}),
    "any": frozenset({"type", "disable_parallel_tool_use"}),
    "tool": frozenset({"type", "name", "disable_parallel_tool_use"}),
    "none": frozenset({"type"}),
}
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
_NOT_IN_STRICT = frozenset(
    {
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minLength",
        "maxLength",
        "maxItems",
    }
    | {
        "uniqueItems",
        "oneOf",
        "not",
        "if",
        "then",
        "else",
        "patternProperties",
        "minProperties",
        "maxProperties",
    }
)


def check_messages(
    body: Mapping[str, Any], version: str, *, fixed_sampling: bool, always_thinks: bool
) -> None:
    """Refuse what the vendor refuses.

    Raises:
        WireError: 400, naming the field.
    """
    gone = _SAMPLING if version >= _WITHOUT_SAMPLING else ()
    _check_fields(body, {name: field for name, field in _BODY.items() if name not in gone}, "")
    if body.get("stream"):
        raise _refused("stream", "this loopback server does not stream")
    for name in _SAMPLING:
        if fixed_sampling and name in body:
            raise WireError(400, f"`{name}` is deprecated for this model.")
    if body.get("temperature") is not None and body.get("top_p") is not None:
        raise WireError(
            400, "`temperature` and `top_p` cannot both be specified for this model. Please use only one."
        )
    _check_turns(body["messages"])
    _check_blocks(body.get("system", ""), "system")
    for place, tool in enumerate(body.get("tools") or ()):
        _check_tool(tool, f"tools.{place}.custom")
    if "tool_choice" in body:
        _check_choice(body, always_thinks=always_thinks)
    if (body.get("output_config") or {}).get("format") is not None:
        _check_format(body["output_config"]["format"])


def chosen_tool(body: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The tool that the model uses: the forced one, else the only one offered, unless told to use none."""
    choice = (body.get("tool_choice") or {}).get("type", "auto")
    tools = body.get("tools") or ()
    if choice == "tool":
        return next(tool for tool in tools if tool["name"] == body["tool_choice"]["name"])
    return tools[0] if len(tools) == 1 and choice != "none" else None


def marked_beginnings(body: Mapping[str, Any]) -> list[str]:
    """The text, from the system message on, up to each block that is marked for the prompt cache."""
    contents = [body.get("system", ""), *(message["content"] for message in body["messages"])]
    found, texts = [], list[str]()
    for content in contents:
        for block in [{"text": content}] if isinstance(content, str) else content:
            texts.append(block.get("text", ""))
            if block.get("cache_control"):
                found.append("\n".join(texts))
    if body.get("cache_control"):
        found.append("\n".join(texts))
    return found


def _check_fields(body: Any, fields: Mapping[str, Field], at: str) -> None:
    if not isinstance(body, dict):
        raise _refused(at.rstrip("."), "Input should be a valid dictionary")
    found = misfit(body, fields)
    if found is not None:
        raise _refused(f"{at}{found.name}", _words(found))


def _words(found: Misfit) -> str:
    match found.wrong:
        case "unknown":
            return "Extra inputs are not permitted"
        case "missing":
            return "Field required"
        case "type":
            return f"Input should be a valid {found.field.types[0].__name__}"
        case "choice":
            return f"Input should be {' or '.join(map(repr, found.field.choices))}"
        case "low":
            return f"Input should be greater than or equal to {found.field.low}"
        case "high":
            return f"Input should be less than or equal to {found.field.high}"


def _check_turns(messages: list[Any]) -> None:
    if not messages:
        raise _refused("messages", "at least one message is required")
    for place, message in enumerate(messages):
        at = f"messages.{place}."
        _check_fields(
            message, {"role": text(required=True), "content": Field((str, list), required=True)}, at
        )
        if message["role"] not in {"user", "assistant"}:
            words = (
                "Input should be 'user' or 'assistant'; the system prompt is the top-level `system` parameter"
            )
            raise _refused(f"{at}role", words)
        if not message["content"]:
            raise _refused(f"{at}content", "all messages must have non-empty content")
        _check_blocks(message["content"], f"{at}content")


def _check_blocks(content: Any, at: str) -> None:
    if isinstance(content, str):
        return
    for place, block in enumerate(content):
        fields = {
            "type": text("text", required=True),
            "text": text(required=True),
            "cache_control": mapping(),
        }
        _check_fields(block, {**fields, "citations": anything()}, f"{at}.{place}.")
        if not block["text"].strip():
            raise _refused(at, "text content blocks must contain non-whitespace text")


def _check_tool(tool: Any, at: str) -> None:
    _check_fields(tool, _TOOL, f"{at}.")
    if not _NAME.fullmatch(tool["name"]):
        raise _refused(f"{at}.name", "String should match pattern '^[a-zA-Z0-9_-]{1,128}$'")
    schema = tool["input_schema"]
    if schema.get("type") != "object":
        raise _refused(f"{at}.input_schema.type", "Input should be 'object'")
    error = schema_error(schema)
    if error is not None:
        words = f"JSON schema is invalid. It must match JSON Schema draft 2020-12: {error.message}"
        raise _refused(f"{at}.input_schema", words) from error
    if tool.get("strict"):
        for problem in strict_violations(schema):
            raise _refused(f"{at}.input_schema", problem)


def strict_violations(schema: Any) -> Iterator[str]:
    """What strict structured output refuses of a schema."""
    if isinstance(schema, list):
        for entry in schema:
            yield from strict_violations(entry)
    if not isinstance(schema, Mapping):
        return
    for name in sorted(_NOT_IN_STRICT & set(schema)):
        yield f"For '{schema.get('type')}' type, property '{name}' is not supported"
    if schema.get("minItems", 0) not in {0, 1}:
        yield f"For 'array' type, 'minItems' values other than 0 or 1 are not supported: {schema['minItems']}"
    if "properties" in schema and schema.get("additionalProperties") is not False:
        yield "For 'object' type, 'additionalProperties' must be explicitly set to false"
    for name in ("properties", "$defs", "definitions"):
        for part in schema.get(name, {}).values():
            yield from strict_violations(part)
    for name in ("items", "anyOf", "allOf"):
        yield from strict_violations(schema.get(name))


def _check_format(given: Any) -> None:
    at = "output_config.format"
    _check_fields(
        given, {"type": text("json_schema", required=True), "schema": mapping(required=True)}, f"{at}."
    )
    for problem in strict_violations(given["schema"]):
        raise _refused(f"{at}.schema", problem)


def _check_choice(body: Mapping[str, Any], *, always_thinks: bool) -> None:
    choice = body["tool_choice"]
    kind = choice.get("type")
    if kind not in _CHOICES:
        raise _refused("tool_choice", f"Input tag {kind!r} does not match any of {sorted(_CHOICES)}")
    for name in choice:
        if name not in _CHOICES[kind]:
            raise _refused(f"tool_choice.{kind}.{name}", "Extra inputs are not permitted")
    if not body.get("tools"):
        raise _refused("tool_choice", "tool_choice may only be specified while providing tools")
    if kind == "tool" and choice.get("name") not in {tool["name"] for tool in body["tools"]}:
        raise WireError(400, f"Tool '{choice.get('name')}' not found in provided tools")
    if kind in {"any", "tool"} and always_thinks:
        raise WireError(400, "tool_choice forces tool use is not compatible with this model.")
    if kind in {"any", "tool"} and (body.get("thinking") or {}).get("type") in {"enabled", "adaptive"}:
        raise WireError(400, "Thinking may not be enabled when tool_choice forces tool use.")


def _refused(at: str, words: str) -> WireError:
    return WireError(400, f"{at}: {words}")
