"""What OpenAI refuses in a request, and how: unknown parameters, wrong values, loose schemas."""

import re
from collections.abc import Mapping
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
from tests.servers._strict_schema import Dialect, violations
from tests.servers._traffic import WireError

_EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh")
_CHAT: Mapping[str, Field] = {
    "model": text(required=True),
    "messages": listed(required=True),
    "audio": mapping(),
    "frequency_penalty": number(-2, 2),
    "function_call": anything(),
    "functions": listed(),
    "logit_bias": mapping(),
    "logprobs": flag(),
    "max_completion_tokens": integer(1),
    "max_tokens": integer(1),
    "metadata": mapping(),
    "modalities": listed(),
    "moderation": mapping(),
    "n": integer(1, 128),
    "parallel_tool_calls": flag(),
    "prediction": mapping(),
    "presence_penalty": number(-2, 2),
    "prompt_cache_key": text(),
    "prompt_cache_options": mapping(),
    "prompt_cache_retention": text("in-memory", "24h"),
    "reasoning_effort": text(*_EFFORTS),
    "response_format": mapping(),
    "safety_identifier": text(),
    "seed": integer(),
    "service_tier": text("auto", "default", "flex", "scale", "priority"),
    "stop": anything(),
    "store": flag(),
    "stream": flag(),
    "stream_options": mapping(),
    "temperature": number(0, 2),
    "tool_choice": anything(),
    "tools": listed(),
    "top_logprobs": integer(0, 20),
    "top_p": number(0, 1),
    "user": text(),
    "verbosity": text("low", "medium", "high"),
    "web_search_options": mapping(),
}
_EMBEDDINGS: Mapping[str, Field] = {
    "input": Field((str, list), required=True),
    "model": text(required=True),
    "dimensions": integer(1),
    "encoding_format": text("float", "base64"),
    "user": text(),
}
_ROLES = ("developer", "system", "user", "assistant", "tool", "function")
_MESSAGE = frozenset(
    {"role", "content", "name", "refusal", "audio", "function_call", "tool_calls", "tool_call_id"}
)
_FORMAT = frozenset({"type", "json_schema"})
_JSON_SCHEMA = frozenset({"name", "description", "schema", "strict"})
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_MOST_INPUTS = 2048


def check_chat(body: Mapping[str, Any], *, structured: str, reasoning: bool, dialect: Dialect) -> None:
    """Refuse what the vendor refuses of a chat completion.

    Raises:
        WireError: 400, naming the parameter.
    """
    fields = {
        name: field for name, field in _CHAT.items() if name != "response_format" or structured != "unknown"
    }
    _check_fields(body, fields)
    _check_messages(body["messages"])
    if body.get("stream"):
        raise _refused("stream", "This loopback server does not stream.", "unsupported_value")
    if reasoning:
        _check_reasoning(body)
    if body.get("top_logprobs") is not None and not body.get("logprobs"):
        raise _refused(
            "top_logprobs", "'top_logprobs' is only allowed when 'logprobs' is true.", "invalid_value"
        )
    if body.get("response_format") is not None:
        _check_format(body, structured, dialect)


def check_embeddings(body: Mapping[str, Any]) -> None:
    """Refuse what the vendor refuses of an embeddings request."""
    _check_fields(body, _EMBEDDINGS)
    texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
    if not 1 <= len(texts) <= _MOST_INPUTS:
        raise _refused(
            "input", f"'input' must hold 1 to {_MOST_INPUTS} texts, got {len(texts)}.", "invalid_value"
        )
    for place, entry in enumerate(texts):
        if not isinstance(entry, str) or not entry:
            raise _refused(
                "input", f"'$.input[{place}]' is invalid: it must be a string that is not empty.", None
            )


def schema_of(body: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The answer schema that was sent, if one was."""
    return (body.get("response_format") or {}).get("json_schema", {}).get("schema")


def _check_fields(body: Mapping[str, Any], fields: Mapping[str, Field]) -> None:
    found = misfit(body, fields)
    if found is not None:
        raise _misfitting(found)


def _misfitting(found: Misfit) -> WireError:
    name, value = found.name, found.value
    match found.wrong:
        case "unknown":
            return _refused(name, f"Unknown parameter: '{name}'.", "unknown_parameter")
        case "missing":
            words = (
                "you must provide a model parameter"
                if name == "model"
                else f"Missing required parameter: '{name}'."
            )
            return _refused(name, words, "missing_required_parameter")
        case "type":
            return _refused(
                name, f"Invalid type for '{name}': got {type(value).__name__} {value!r:.60}.", "invalid_type"
            )
        case "choice":
            return _refused(
                name,
                f"Invalid value: '{value}'. Supported values are: {found.field.choices}.",
                "invalid_value",
            )
        case "low":
            words = f"Expected a value >= {found.field.low}, but got {value} instead."
            return _refused(
                name, f"Invalid '{name}': below minimum value. {words}", "decimal_below_min_value"
            )
        case "high":
            words = f"Expected a value <= {found.field.high}, but got {value} instead."
            return _refused(
                name, f"Invalid '{name}': above maximum value. {words}", "decimal_above_max_value"
            )


def _check_messages(messages: list[Any]) -> None:
    if not messages:
        raise _refused(
            "messages", "Invalid 'messages': empty array. Expected at least 1 entry.", "empty_array"
        )
    for place, message in enumerate(messages):
        at = f"messages[{place}]"
        if not isinstance(message, dict):
            raise _refused(at, f"Invalid type for '{at}': expected an object.", "invalid_type")
        for name in message:
            if name not in _MESSAGE:
                raise _refused(f"{at}.{name}", f"Unknown parameter: '{at}.{name}'.", "unknown_parameter")
        if message.get("role") not in _ROLES:
            raise _refused(f"{at}.role", f"Invalid value: '{message.get('role')}'.", "invalid_value")
        _check_content(message.get("content"), at)


def _check_content(content: Any, at: str) -> None:
    if isinstance(content, str):
        return
    if not isinstance(content, list) or not content:
        raise _refused(
            f"{at}.content", f"Invalid type for '{at}.content': expected a string.", "invalid_type"
        )
    for part in content:
        if not isinstance(part, dict) or part.get("type") != "text" or not isinstance(part.get("text"), str):
            raise _refused(
                f"{at}.content", f"Invalid value in '{at}.content': expected text parts.", "invalid_value"
            )


def _check_reasoning(body: Mapping[str, Any]) -> None:
    for name in ("temperature", "top_p"):
        if body.get(name) not in {None, 1}:
            message = f"Unsupported value: '{name}' does not support {body[name]} with this model."
            raise _refused(name, f"{message} Only the default (1) value is supported.", "unsupported_value")
    if "max_tokens" in body:
        message = "Unsupported parameter: 'max_tokens' is not supported with this model."
        raise _refused(
            "max_tokens", f"{message} Use 'max_completion_tokens' instead.", "unsupported_parameter"
        )
    for name in ("logprobs", "top_logprobs"):
        if body.get(name):
            message = f"Unsupported parameter: '{name}' is not supported with this model."
            raise _refused(name, message, "unsupported_parameter")


def _check_format(body: Mapping[str, Any], structured: str, dialect: Dialect) -> None:
    wanted = body["response_format"]
    kind = wanted.get("type")
    for name in wanted:
        if name not in _FORMAT:
            raise _refused(
                f"response_format.{name}",
                f"Unknown parameter: 'response_format.{name}'.",
                "unknown_parameter",
            )
    if kind not in {"text", "json_object", "json_schema"}:
        raise _refused("response_format.type", f"Invalid value: '{kind}'.", "invalid_value")
    if kind == "json_object" and "json" not in str(body["messages"]).lower():
        message = "'messages' must contain the word 'json' in some form"
        raise _refused("messages", f"{message}, to use 'response_format' of type 'json_object'.", None)
    if kind == "json_schema":
        if structured == "json_object":
            message = (
                "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model."
            )
            raise _refused("response_format", message, None)
        _check_json_schema(wanted.get("json_schema"), dialect)


def _check_json_schema(given: Any, dialect: Dialect) -> None:
    at = "response_format.json_schema"
    if not isinstance(given, dict):
        raise _refused(at, f"Missing required parameter: '{at}'.", "missing_required_parameter")
    for name in given:
        if name not in _JSON_SCHEMA:
            raise _refused(f"{at}.{name}", f"Unknown parameter: '{at}.{name}'.", "unknown_parameter")
    name = given.get("name")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        message = f"Invalid '{at}.name': {name!r} is not 1 to 64 characters of '^[a-zA-Z0-9_-]+$'."
        raise _refused(f"{at}.name", message, "invalid_value")
    if given.get("strict") is not True:
        raise _refused(
            f"{at}.strict",
            f"'{at}.strict' must be true here: a judge's answers are read by schema.",
            "invalid_value",
        )
    if not isinstance(given.get("schema"), dict):
        raise _refused(
            f"{at}.schema", f"Missing required parameter: '{at}.schema'.", "missing_required_parameter"
        )
    broken = violations(given["schema"], dialect)
    if broken:
        raise _refused("response_format", f"Invalid schema for response_format '{name}': {broken[0]}", None)


def _refused(param: str, message: str, code: str | None) -> WireError:
    return WireError(400, message, param=param, code=code)
