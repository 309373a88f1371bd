import json
from typing import Any

import pytest
from tests.providers.asking import request
from tests.testing.for_each import for_each

from ragstone.errors import ProviderError
from ragstone.providers.base import Token
from ragstone.providers.wire.chat_completions import decode, encode
from ragstone.result import Usage

SCHEMA = {
    "type": "object",
    "properties": {"a": {"type": "string"}},
    "required": ["a"],
    "additionalProperties": False,
}


def encoded(
    unsupported: set[str] | None = None, options: dict[str, Any] | None = None, **changes: Any
) -> dict[str, Any]:
    asked = request(system="Judge.", user="This.", schema=SCHEMA, **changes)
    return encode("m", asked, options or {}, frozenset(unsupported or ()))


def reply(**changes: Any) -> bytes:
    choice = {
        "index": 0,
        "finish_reason": "stop",
        "message": {"role": "assistant", "content": "{}"},
        **changes,
    }
    return json.dumps({"object": "chat.completion", "model": "m-2026-01-01", "choices": [choice]}).encode()


def test_a_request_is_what_the_reference_says() -> None:
    assert encoded() == {
        "model": "m",
        "messages": [{"role": "system", "content": "Judge."}, {"role": "user", "content": "This."}],
        "temperature": 0.0,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "answer", "strict": True, "schema": SCHEMA},
        },
    }


def test_log_probabilities_and_a_limit_are_sent_where_asked_for() -> None:
    body = encoded(top_logprobs=20, max_tokens=64)
    assert (body["logprobs"], body["top_logprobs"], body["max_tokens"]) == (True, 20, 64)


def test_without_response_format_the_schema_stands_in_the_system_message() -> None:
    body = encoded({"response_format"})
    assert "response_format" not in body
    system = body["messages"][0]["content"]
    assert system.startswith("Judge.\n")
    assert json.loads(system[system.index("{") :]) == SCHEMA


def test_unsupported_parameters_are_left_out() -> None:
    body = encoded({"temperature", "logprobs", "max_tokens"}, top_logprobs=20, max_tokens=64)
    assert not {"temperature", "logprobs", "top_logprobs", "max_tokens"} & body.keys()
    assert body["max_completion_tokens"] == 64
    assert (
        not {"max_tokens", "max_completion_tokens"}
        & encoded({"max_tokens", "max_completion_tokens"}, max_tokens=64).keys()
    )


def test_options_override_defaults_and_none_removes_them() -> None:
    body = encoded(options={"seed": 7, "temperature": None, "reasoning_effort": "low"})
    assert body["seed"] == 7
    assert body["reasoning_effort"] == "low"
    assert "temperature" not in body


def test_chat_completion_is_decoded_with_usage_and_tokens() -> None:
    logprobs = {
        "content": [
            {"token": "7", "logprob": -0.1, "bytes": [55], "top_logprobs": [{"token": "8", "logprob": -2.5}]},
            {"token": "}", "logprob": 0.0},
        ]
    }
    body = json.loads(reply(logprobs=logprobs))
    body["usage"] = {
        "prompt_tokens": 9,
        "completion_tokens": 2,
        "total_tokens": 11,
        "prompt_tokens_details": {"cached_tokens": 4, "audio_tokens": 0},
    }
    found = decode(json.dumps(body).encode(), "openai", "m")
    assert found.text == "{}"
    assert found.model == "m-2026-01-01"
    assert found.usage == Usage(calls=1, input_tokens=9, output_tokens=2, cached_tokens=4)
    assert found.tokens == (Token("7", -0.1, (("8", -2.5),)), Token("}", 0.0))


def test_minimal_chat_completion_is_decoded() -> None:
    found = decode(b'{"choices": [{"message": {"content": "{}"}}]}', "openai", "m")
    assert (found.text, found.model, found.usage) == ("{}", "m", Usage(calls=1))


@for_each(
    "body, words",
    [
        (
            reply(message={"content": None, "refusal": "I cannot \x1b[31mhelp."}),
            "refused to answer: 'I cannot help.'",
        ),
        (reply(finish_reason="length"), "token limit"),
        (reply(finish_reason="content_filter"), "content filter"),
        (b'{"choices": []}', "no choices"),
        (b'{"choices": [{"mess', "not a chat completion"),
        (b"<html>Sign in</html>", "not a chat completion: '<html>Sign in"),
        (b"", "not a chat completion"),
        (b"null", "not a chat completion"),
    ],
)
def test_unusable_chat_completion_raises_provider_error(body: bytes, words: str) -> None:
    with pytest.raises(ProviderError) as caught:
        decode(body, "openai", "m")
    assert words in str(caught.value)
    assert str(caught.value).startswith("openai: m")


def test_null_content_is_decoded_as_empty_text() -> None:
    assert decode(reply(message={"content": None}), "openai", "m").text == ""
