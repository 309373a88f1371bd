import json
from copy import deepcopy
from typing import Any

import pytest
from tests.servers.anthropic import AnthropicServer
from tests.servers.faults import fenced, finished, status
from tests.servers.fixtures import serving
from tests.servers.script import Script
from tests.servers.wire import HEADERS, message, post

Schema = dict[str, Any]


def test_forced_tool_use_carries_the_scripted_answer(
    anthropic_server: AnthropicServer, schema: Schema
) -> None:
    anthropic_server.script.say(verdicts=["yes", {"verdict": "no", "reason": "Wrong year."}])
    code, payload = post(anthropic_server, message(schema))
    assert code == 200
    assert (payload["type"], payload["role"], payload["stop_reason"]) == ("message", "assistant", "tool_use")
    [block] = payload["content"]
    assert (block["type"], block["name"]) == ("tool_use", "answer")
    assert block["input"]["verdicts"][1] == {"verdict": "no", "reason": "Wrong year."}
    assert payload["usage"]["input_tokens"] > 0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"response_format": {}}, "response_format: Extra inputs are not permitted"),
        ({"max_tokens": 0}, "max_tokens: Input should be greater than or equal to 1"),
        ({"temperature": 2}, "temperature: Input should be less than or equal to 1"),
        ({"temperature": 0, "top_p": 1}, "cannot both be specified"),
        ({"messages": [{"role": "system", "content": "x"}]}, "messages.0.role"),
        ({"messages": [{"role": "user", "content": ""}]}, "non-empty content"),
        ({"tool_choice": {"type": "tool", "name": "other"}}, "Tool 'other' not found in provided tools"),
        (
            {"tool_choice": {"type": "tool", "name": "answer", "strict": True}},
            "tool_choice.tool.strict: Extra inputs",
        ),
        ({"tool_choice": {"type": "function"}}, "tool_choice: Input tag 'function'"),
        ({"tools": [{"name": "answer"}]}, "tools.0.custom.input_schema: Field required"),
        ({"tools": [{"name": "an answer", "input_schema": {"type": "object"}}]}, "tools.0.custom.name"),
        ({"tools": [{"name": "answer", "input_schema": {"type": "array"}}]}, "input_schema.type"),
        (
            {"tools": [{"name": "answer", "input_schema": {"type": "object", "required": 1}}]},
            "JSON schema is invalid",
        ),
        ({"thinking": {"type": "adaptive"}}, "Thinking may not be enabled"),
        ({"stream": True}, "does not stream"),
    ],
)
def test_invalid_request_is_rejected_naming_the_field(
    anthropic_server: AnthropicServer, schema: Schema, change: Schema, words: str
) -> None:
    code, payload = post(anthropic_server, message(schema) | change)
    assert code == 400
    assert payload["type"] == "error"
    assert payload["error"]["type"] == "invalid_request_error"
    assert words in payload["error"]["message"]


@pytest.mark.parametrize("field", ["max_tokens", "messages", "model"])
def test_missing_required_field_is_named(
    anthropic_server: AnthropicServer, schema: Schema, field: str
) -> None:
    body = message(schema)
    del body[field]
    assert post(anthropic_server, body)[1]["error"]["message"] == f"{field}: Field required"


@pytest.mark.parametrize(
    ("headers", "code", "kind"),
    [
        ({"anthropic-version": "2023-06-01"}, 401, "authentication_error"),
        ({"x-api-key": "wrong", "anthropic-version": "2023-06-01"}, 401, "authentication_error"),
        ({"x-api-key": "sk-ant-loopback"}, 400, "invalid_request_error"),
        ({"x-api-key": "sk-ant-loopback", "anthropic-version": "1999"}, 400, "invalid_request_error"),
    ],
)
def test_key_and_version_are_required(
    anthropic_server: AnthropicServer, schema: Schema, headers: dict[str, str], code: int, kind: str
) -> None:
    assert_error(post(anthropic_server, message(schema), headers=headers), code, kind)


def assert_error(answer: tuple[int, Any], code: int, kind: str) -> None:
    assert (answer[0], answer[1]["error"]["type"]) == (code, kind)


def test_status_529_has_type_overloaded_error(anthropic_server: AnthropicServer, schema: Schema) -> None:
    anthropic_server.faults.add(status(529, "Overloaded"))
    assert_error(post(anthropic_server, message(schema)), 529, "overloaded_error")


def test_unknown_model_returns_not_found_error(schema: Schema) -> None:
    with serving(AnthropicServer(models=["claude-haiku-4-5"])) as server:
        assert_error(post(server, message(schema)), 404, "not_found_error")


def test_newer_models_refuse_a_temperature(schema: Schema) -> None:
    with serving(AnthropicServer(Script(verdicts=["yes"]), fixed_sampling=True)) as server:
        assert (
            "`temperature` is deprecated"
            in post(server, message(schema, temperature=0))[1]["error"]["message"]
        )
        assert post(server, message(schema))[0] == 200


def test_always_thinks_rejects_forced_tool_and_returns_thinking(schema: Schema) -> None:
    with serving(AnthropicServer(Script(verdicts=["yes"]), always_thinks=True)) as server:
        code, payload = post(server, message(schema))
        assert code == 400
        assert "tool_choice forces tool use" in payload["error"]["message"]
        code, payload = post(server, message(schema) | {"tool_choice": {"type": "auto"}})
        assert [block["type"] for block in payload["content"]] == ["thinking", "tool_use"]


def test_output_format_is_answered_as_json_text(anthropic_server: AnthropicServer, schema: Schema) -> None:
    anthropic_server.script.say(verdicts=["yes"])
    body = message(schema) | {"output_config": {"format": {"type": "json_schema", "schema": schema}}}
    del body["tools"], body["tool_choice"]
    [block] = post(anthropic_server, body)[1]["content"]
    assert json.loads(block["text"])["verdicts"][0]["verdict"] == "yes"
    body["output_config"]["format"]["schema"] = schema | {"additionalProperties": True}
    assert "'additionalProperties' must be" in post(anthropic_server, body)[1]["error"]["message"]


def test_newest_api_version_rejects_sampling_parameters(
    anthropic_server: AnthropicServer, schema: Schema
) -> None:
    anthropic_server.script.say(verdicts=["yes"])
    newest = HEADERS["anthropic"] | {"anthropic-version": "2026-10-21"}
    code, payload = post(anthropic_server, message(schema, temperature=0), headers=newest)
    assert (code, payload["error"]["message"]) == (400, "temperature: Extra inputs are not permitted")
    assert post(anthropic_server, message(schema), headers=newest)[0] == 200
    assert post(anthropic_server, message(schema, temperature=0))[0] == 200


def test_bearer_token_is_accepted_but_x_api_key_takes_precedence(
    anthropic_server: AnthropicServer, schema: Schema
) -> None:
    anthropic_server.script.say(verdicts=["yes"])
    headers = {"Authorization": "Bearer sk-ant-loopback", "anthropic-version": "2026-10-21"}
    assert post(anthropic_server, message(schema), headers=headers)[0] == 200
    assert post(anthropic_server, message(schema), headers=headers | {"x-api-key": "wrong"})[0] == 401


def test_strict_tool_rejects_max_items(anthropic_server: AnthropicServer, schema: Schema) -> None:
    anthropic_server.script.say(verdicts=["yes", "no"])
    bounded = deepcopy(schema)
    bounded["properties"]["verdicts"] |= {"minItems": 2, "maxItems": 2}
    body = message(bounded)
    assert post(anthropic_server, body)[0] == 200
    body["tools"][0]["strict"] = True
    assert "'maxItems' is not supported" in post(anthropic_server, body)[1]["error"]["message"]


def test_only_blocks_with_cache_control_are_cached(anthropic_server: AnthropicServer, schema: Schema) -> None:
    anthropic_server.script.say(verdicts=["yes"])
    shared = "The same long context. " * 400
    assert (
        post(anthropic_server, message(schema, user=shared))[1]["usage"]["cache_creation_input_tokens"] == 0
    )
    blocks = [{"type": "text", "text": shared, "cache_control": {"type": "ephemeral"}}]
    marked = message(schema) | {"messages": [{"role": "user", "content": blocks}]}
    first, second = (post(anthropic_server, marked)[1]["usage"] for _ in range(2))
    assert first["cache_creation_input_tokens"] > 1024
    assert second["cache_read_input_tokens"] == first["cache_creation_input_tokens"]
    assert second["input_tokens"] <= 1
    asked = deepcopy(marked)
    asked["messages"][0]["content"].append({"type": "text", "text": "1. one " * 40})
    third = post(anthropic_server, asked)[1]["usage"]
    assert third["cache_read_input_tokens"] == first["cache_creation_input_tokens"]
    assert (third["cache_creation_input_tokens"], third["input_tokens"] >= 70) == (0, True)


def test_different_tool_schema_does_not_share_cache(
    anthropic_server: AnthropicServer, schema: Schema
) -> None:
    anthropic_server.script.say(verdicts=["yes"])
    blocks = [
        {"type": "text", "text": "The same long context. " * 400, "cache_control": {"type": "ephemeral"}}
    ]
    renamed = json.loads(json.dumps(schema).replace('"idk"', '"unsure"'))
    read = [
        post(anthropic_server, message(sent) | {"messages": [{"role": "user", "content": blocks}]})[1][
            "usage"
        ]
        for sent in (schema, renamed, schema)
    ]
    assert [usage["cache_read_input_tokens"] > 1024 for usage in read] == [False, False, True]
    assert read[1]["cache_creation_input_tokens"] > 1024


def test_text_fault_returns_text_block_instead_of_tool_use(
    anthropic_server: AnthropicServer, schema: Schema
) -> None:
    anthropic_server.script.say(verdicts=["yes"])
    anthropic_server.faults.add(fenced())
    payload = post(anthropic_server, message(schema))[1]
    assert payload["stop_reason"] == "end_turn"
    assert payload["content"][0]["text"].startswith("```json")


@pytest.mark.parametrize(
    ("finish", "reason", "blocks"),
    [("length", "max_tokens", 1), ("refusal", "refusal", 0), ("empty", "end_turn", 0)],
)
def test_stop_reason_for_truncated_refused_and_empty_answers(
    anthropic_server: AnthropicServer, schema: Schema, finish: Any, reason: str, blocks: int
) -> None:
    anthropic_server.script.say(verdicts=["yes"])
    anthropic_server.faults.add(finished(finish))
    payload = post(anthropic_server, message(schema))[1]
    assert (payload["stop_reason"], len(payload["content"])) == (reason, blocks)


def test_the_headers_are_recorded(anthropic_server: AnthropicServer, schema: Schema) -> None:
    anthropic_server.script.say(verdicts=["yes"])
    post(anthropic_server, message(schema))
    assert HEADERS["anthropic"].items() <= anthropic_server.requests[0].headers.items()
