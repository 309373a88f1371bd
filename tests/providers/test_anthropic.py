import json
from dataclasses import replace
from typing import Any

import pytest
from tests.providers.asking import complete, decisions, provider_of, request, run
from tests.servers.anthropic import AnthropicServer
from tests.servers.fixtures import serving
from tests.servers.script import Script
from tests.testing.for_each import for_each

from ragstone.errors import ProviderError, UsageError
from ragstone.judges import LLMJudge
from ragstone.judges.asking.answer_bound import most_tokens
from ragstone.prompts import ExtractClaims
from ragstone.providers import Anthropic, open_transport
from ragstone.providers.wire.schema_dialect import in_dialect
from ragstone.result import Usage


def reply(**changes: Any) -> bytes:
    return json.dumps(
        {
            "type": "message",
            "model": "claude-x-20260101",
            "content": [{"type": "tool_use", "id": "t", "name": "answer", "input": {"a": "é"}}],
            "stop_reason": "tool_use",
            "usage": {
                "input_tokens": 3,
                "output_tokens": 5,
                "cache_read_input_tokens": 7,
                "cache_creation_input_tokens": 2,
            },
            **changes,
        }
    ).encode()


def test_a_request_forces_one_tool() -> None:
    schema = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
    body = Anthropic(api_key="k").encode(request(system="Judge.", user="This.", schema=schema))
    assert body == {
        "model": "claude-haiku-4-5",
        "max_tokens": 4096,
        "system": "Judge.",
        "messages": [{"role": "user", "content": "This."}],
        "temperature": 0.0,
        "tools": [{"name": "answer", "description": "Give the answer.", "input_schema": schema}],
        "tool_choice": {"type": "tool", "name": "answer"},
    }


def test_without_tools_the_schema_stands_in_the_system_message() -> None:
    for unsupported in ("tools", "tool_choice"):
        body = Anthropic(api_key="k").encode(request(), frozenset({unsupported}))
        assert not {"tools", "tool_choice"} & body.keys()
        assert '"verdicts"' in body["system"]


def test_an_answer_is_the_tools_input() -> None:
    found = Anthropic(api_key="k", model="m").decode(reply())
    assert json.loads(found.text) == {"a": "é"}
    assert found.model == "claude-x-20260101"
    assert found.usage == Usage(
        calls=1, input_tokens=12, output_tokens=5, cached_tokens=7, cache_write_tokens=2
    )


def test_text_blocks_are_read_without_a_tool_call() -> None:
    content = [
        {"type": "text", "text": 'Here: {"a": '},
        {"type": "thinking", "thinking": "…"},
        {"type": "text", "text": "1}"},
    ]
    assert (
        Anthropic(api_key="k", model="m").decode(reply(content=content, stop_reason="end_turn")).text
        == 'Here: {"a": 1}'
    )


@for_each(
    "body, words",
    [
        (reply(stop_reason="max_tokens"), "token limit"),
        (
            reply(stop_reason="refusal", content=[{"type": "text", "text": "Not that."}]),
            "refused to answer: 'Not that.'",
        ),
        (reply(stop_reason="refusal", content=[]), "refused to answer"),
        (b'{"content": 1}', "not a message"),
        (b"<html>", "not a message"),
    ],
)
def test_unusable_anthropic_reply_raises_provider_error(body: bytes, words: str) -> None:
    with pytest.raises(ProviderError) as caught:
        Anthropic(api_key="k", model="m").decode(body)
    assert words in str(caught.value)


def test_anthropic_without_key_raises_usage_error() -> None:
    with pytest.raises(UsageError, match="ANTHROPIC_API_KEY"):
        Anthropic()


def test_key_and_address_come_from_the_environment(
    anthropic_server: AnthropicServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-loopback")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", anthropic_server.base_url + "/")
    anthropic_server.script.say(verdicts=["yes", "no"])
    completion = complete(Anthropic())
    assert decisions(completion.text).verdicts[1].verdict == "no"
    assert completion.usage.output_tokens > 0
    sent = anthropic_server.requests[0]
    assert sent.path == "/v1/messages"
    assert sent.headers["x-api-key"] == "sk-ant-loopback"
    assert sent.headers["anthropic-version"] == "2023-06-01"
    assert "Authorization" not in sent.headers


def test_a_token_takes_the_place_of_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "token-12345")
    provider = Anthropic()
    assert provider.auth_token == "token-12345"
    assert "token-12345" not in repr(provider)


def test_a_model_without_temperature_is_asked_again_without() -> None:
    with serving(AnthropicServer(Script(verdicts=["yes", "no"]), fixed_sampling=True)) as server:
        provider = provider_of(server)

        async def main() -> None:
            async with open_transport():
                await provider.complete(request())
                await provider.complete(request())

        run(main())
        assert ["temperature" in body for body in server.bodies] == [True, False, False]
        assert all("tools" in body for body in server.bodies)


def test_long_passages_are_cached_across_schemas(
    anthropic_server: AnthropicServer,
) -> None:
    passages = "evidence:\n" + "\n".join(f"{n}| A passage of some length, number {n}." for n in range(1, 300))
    provider = provider_of(anthropic_server, prompt_cache=True)
    anthropic_server.script.say(claims=["c"], verdicts=["yes", "no"])
    usages = list[Usage]()
    for schema in (ExtractClaims(text="x").schema(), request().schema):
        asked = replace(request(user=f"{passages}\n\nclaims:\n1| It is blue."), schema=schema)
        usages.append(complete(provider, asked).usage)
        first, second = anthropic_server.bodies[-1]["messages"][0]["content"]
        assert (first["cache_control"], second.get("cache_control")) == ({"type": "ephemeral"}, None)
        assert first["text"] + second["text"].partition("\n\nCall the tool")[0] == asked.user
        assert json.loads(second["text"].rpartition("\n")[2]) == schema
    assert usages[0].cache_write_tokens == usages[1].cached_tokens > 1000
    assert usages[0].cached_tokens == usages[1].cache_write_tokens == 0


def test_prompt_cache_is_off_by_default_and_for_short_passages() -> None:
    long = "evidence:\n" + "1| A passage.\n" * 600 + "\nclaims:"
    for marked, user in ((False, long), (True, "evidence:\n1| Short.\n\nclaims:")):
        body = Anthropic(api_key="k", prompt_cache=marked).encode(request(user=user))
        assert body["messages"][0]["content"] == user
        assert body["tools"][0]["input_schema"] == request().schema


def test_native_schema_falls_back_to_the_tool() -> None:
    body = Anthropic(api_key="k", native_schema=True).encode(request())
    assert body["output_config"] == {
        "format": {"type": "json_schema", "schema": in_dialect(request().schema, "anthropic_native")}
    }
    assert not {"tools", "tool_choice"} & body.keys()
    fallback = Anthropic(api_key="k", native_schema=True).encode(request(), frozenset({"output_config"}))
    assert fallback["tool_choice"]["type"] == "tool"


def test_max_tokens_depend_on_the_prompt_schema(anthropic_server: AnthropicServer) -> None:
    anthropic_server.script.say(claims=["c"])
    prompt = ExtractClaims(text="It opened.")
    provider = provider_of(anthropic_server)
    run(LLMJudge(provider=provider).ask(prompt))
    assert anthropic_server.bodies[0]["max_tokens"] == most_tokens(prompt.schema(), [prompt.text]) < 4096
