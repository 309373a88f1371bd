import json
from typing import Any

import pytest
from tests.providers.asking import complete, decisions, provider_of, request
from tests.servers.ollama import OllamaServer
from tests.testing.for_each import for_each

from ragstone.errors import ProviderError
from ragstone.providers import Ollama, Token
from ragstone.result import Usage


def reply(**changes: Any) -> bytes:
    return json.dumps(
        {
            "model": "llama3.1",
            "message": {"role": "assistant", "content": "{}"},
            "done": True,
            "done_reason": "stop",
            "prompt_eval_count": 11,
            "eval_count": 3,
            **changes,
        }
    ).encode()


def test_a_request_holds_the_answer_to_the_schema() -> None:
    schema = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
    body = Ollama(options={"seed": 7}).encode(request(system="Judge.", user="This.", schema=schema))
    assert body == {
        "model": "llama3.1",
        "messages": [{"role": "system", "content": "Judge."}, {"role": "user", "content": "This."}],
        "stream": False,
        "format": schema,
        "options": {"temperature": 0.0, "num_ctx": 8192, "seed": 7},
    }


@for_each("length, window", [(10, 8192), (3 * 6000, 8192), (3 * 6200, 16384), (200_000, 131_072)])
def test_the_window_has_room_for_the_prompt(length: int, window: int) -> None:
    asked = request(system="", user="x" * length)
    assert Ollama().encode(asked)["options"]["num_ctx"] == window
    assert Ollama(options={"num_ctx": 4096}).encode(asked)["options"]["num_ctx"] == 4096


def test_without_format_the_schema_stands_in_the_system_message() -> None:
    body = Ollama().encode(request(), frozenset({"format"}))
    assert "format" not in body
    assert '"verdicts"' in body["messages"][0]["content"]


def test_ollama_reply_is_decoded_with_usage_and_tokens() -> None:
    logprobs = [{"token": "{", "logprob": -0.5, "top_logprobs": [{"token": "[", "logprob": -1.5}]}]
    found = Ollama(model="m").decode(reply(logprobs=logprobs))
    assert found.usage == Usage(calls=1, input_tokens=11, output_tokens=3)
    assert found.tokens == (Token("{", -0.5, (("[", -1.5),)),)


@for_each(
    "body, words",
    [
        (reply(done_reason="length"), "num_ctx"),
        (b'{"done": true}', "not a chat message"),
        (b"", "not a chat message"),
    ],
)
def test_unusable_ollama_reply_raises_provider_error(body: bytes, words: str) -> None:
    with pytest.raises(ProviderError, match=words):
        Ollama(model="m").decode(body)


def test_the_host_comes_from_the_environment(
    ollama_server: OllamaServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OLLAMA_HOST", ollama_server.base_url.removeprefix("http://"))
    ollama_server.script.say(verdicts=["yes", "no"])
    completion = complete(Ollama(), request(top_logprobs=20))
    assert decisions(completion.text).verdicts[0].verdict == "yes"
    assert completion.tokens
    assert ollama_server.requests[0].path == "/api/chat"


def test_default_ollama_base_url_is_localhost() -> None:
    assert Ollama().base_url == "http://127.0.0.1:11434"


def test_ollama_api_key_is_sent_as_bearer_token(ollama_server: OllamaServer) -> None:
    ollama_server.script.say(verdicts=["yes", "no"])
    provider = provider_of(ollama_server, api_key="gate-token")
    complete(provider)
    assert ollama_server.requests[0].headers["Authorization"] == "Bearer gate-token"
    assert "gate-token" not in repr(provider)
