import base64
import json
import math
import struct
from copy import deepcopy
from typing import Any

import pytest
from tests.servers.faults import finished
from tests.servers.fixtures import serving
from tests.servers.openai import OpenAIServer
from tests.servers.script import Script, every
from tests.servers.wire import HEADERS, chat, post
from tests.testing.for_each import for_each

Schema = dict[str, Any]
SCORE_SCHEMA: Schema = {
    "type": "object",
    "properties": {"reason": {"type": "string"}, "score": {"type": "integer"}},
    "required": ["reason", "score"],
    "additionalProperties": False,
}


def test_scripted_answer_is_returned_as_chat_completion(openai_server: OpenAIServer, schema: Schema) -> None:
    openai_server.script.say(verdicts=["yes", "no"])
    status, payload = post(openai_server, chat(schema))
    assert status == 200
    assert payload["object"] == "chat.completion"
    assert payload["choices"][0]["finish_reason"] == "stop"
    answer = json.loads(payload["choices"][0]["message"]["content"])
    assert [entry["verdict"] for entry in answer["verdicts"]] == ["yes", "no"]
    usage = payload["usage"]
    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"]
    assert usage["prompt_tokens_details"]["cached_tokens"] == 0


@pytest.mark.parametrize(
    ("change", "param", "words"),
    [
        ({"response_shape": 1}, "response_shape", "Unknown parameter"),
        ({"temperature": "0"}, "temperature", "Invalid type"),
        ({"temperature": 3}, "temperature", "above maximum"),
        ({"top_logprobs": 5}, "top_logprobs", "only allowed when 'logprobs' is true"),
        ({"logprobs": True, "top_logprobs": 21}, "top_logprobs", "<= 20"),
        ({"messages": []}, "messages", "empty array"),
        ({"messages": [{"role": "judge", "content": "x"}]}, "messages[0].role", "Invalid value"),
        (
            {"messages": [{"role": "user", "content": "x", "lang": "en"}]},
            "messages[0].lang",
            "Unknown parameter",
        ),
        ({"logprobs": 1}, "logprobs", "Invalid type"),
        ({"stream": True}, "stream", "does not stream"),
    ],
)
def test_invalid_request_is_rejected_naming_the_parameter(
    openai_server: OpenAIServer, schema: Schema, change: Schema, param: str, words: str
) -> None:
    status, payload = post(openai_server, chat(schema) | change)
    assert status == 400
    assert payload["error"]["type"] == "invalid_request_error"
    assert payload["error"]["param"] == param
    assert words in payload["error"]["message"]


def test_a_missing_model_is_named(openai_server: OpenAIServer, schema: Schema) -> None:
    body = chat(schema)
    del body["model"]
    assert post(openai_server, body)[1]["error"]["param"] == "model"


@pytest.mark.parametrize(
    ("change", "param"),
    [
        ({"name": "an answer"}, "response_format.json_schema.name"),
        ({"name": "a" * 65}, "response_format.json_schema.name"),
        ({"strict": False}, "response_format.json_schema.strict"),
        ({"schema": None}, "response_format.json_schema.schema"),
        ({"title": "x"}, "response_format.json_schema.title"),
    ],
)
def test_the_response_format_itself_is_checked(
    openai_server: OpenAIServer, schema: Schema, change: Schema, param: str
) -> None:
    body = chat(schema)
    body["response_format"]["json_schema"] |= change
    status, payload = post(openai_server, body)
    assert (status, payload["error"]["param"]) == (400, param)


def test_a_schema_that_is_not_strict_is_refused(openai_server: OpenAIServer, schema: Schema) -> None:
    loose = deepcopy(schema)
    del loose["additionalProperties"]
    status, payload = post(openai_server, chat(loose))
    assert status == 400
    assert payload["error"]["param"] == "response_format"
    assert "In context=(), 'additionalProperties'" in payload["error"]["message"]


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer sk-wrong"}, {"api-key": "sk-loopback"}])
def test_wrong_key_is_rejected_and_not_echoed(
    openai_server: OpenAIServer, schema: Schema, headers: dict[str, str]
) -> None:
    status, payload = post(openai_server, chat(schema), headers=headers)
    assert status == 401
    assert payload["error"]["code"] == "invalid_api_key"
    assert "sk-wrong" not in payload["error"]["message"]


def test_unknown_model_returns_model_not_found(schema: Schema) -> None:
    with serving(OpenAIServer(models=["gpt-4o"])) as server:
        status, payload = post(server, chat(schema))
    assert (status, payload["error"]["code"]) == (404, "model_not_found")


def test_an_unknown_path_is_not_found(openai_server: OpenAIServer) -> None:
    assert post(openai_server, {}, path="/v2/chat")[0] == 404


@pytest.mark.parametrize("structured", ["unknown", "json_object"])
def test_unsupported_response_format_is_rejected_and_prompt_schema_is_used(
    schema: Schema, structured: Any
) -> None:
    with serving(OpenAIServer(Script(verdicts=["no"]), structured=structured)) as server:
        status, payload = post(server, chat(schema))
        assert (status, payload["error"]["param"]) == (400, "response_format")
        body = chat(schema, user=f"Answer in JSON by this schema: {json.dumps(schema)}")
        del body["response_format"]
        status, payload = post(server, body)
        assert status == 200
        assert json.loads(payload["choices"][0]["message"]["content"])["verdicts"][0]["verdict"] == "no"


def test_json_object_format_requires_the_word_json_in_messages(
    openai_server: OpenAIServer, schema: Schema
) -> None:
    status, payload = post(openai_server, chat(schema) | {"response_format": {"type": "json_object"}})
    assert (status, payload["error"]["param"]) == (400, "messages")


@pytest.mark.parametrize(
    ("change", "param"),
    [
        ({"temperature": 0}, "temperature"),
        ({"max_tokens": 9}, "max_tokens"),
        ({"logprobs": True}, "logprobs"),
    ],
)
def test_a_reasoning_model_refuses_what_it_does_not_support(
    schema: Schema, change: Schema, param: str
) -> None:
    with serving(OpenAIServer(reasoning=True)) as server:
        status, payload = post(server, chat(schema, temperature=1) | change)
        assert (status, payload["error"]["param"]) == (400, param)
        server.script.say(verdicts=["yes"])
        assert post(server, chat(schema, temperature=1, max_completion_tokens=99))[0] == 200


def test_azure_key_header_paths_and_schema_limits(schema: Schema, azure_server: OpenAIServer) -> None:
    azure_server.script.say(verdicts=["yes"])
    key = {"api-key": "sk-loopback"}
    deployment = "/openai/deployments/judge/chat/completions"
    body = chat(schema)
    assert post(azure_server, body, headers=key, path="/openai/v1/chat/completions")[0] == 200
    del body["model"]
    assert post(azure_server, body, headers=key, path=f"{deployment}?api-version=2024-10-21")[0] == 200
    assert post(azure_server, body, headers=key, path=deployment)[0] == 404
    bounded = deepcopy(schema)
    bounded["properties"]["verdicts"]["minItems"] = 1
    status, payload = post(azure_server, chat(bounded), headers=key, path="/openai/v1/chat/completions")
    assert status == 400
    assert "'minItems' is not permitted" in payload["error"]["message"]


@for_each("digits", [3, 1])
def test_logprobs_alternatives_are_at_the_score_token(digits: int) -> None:
    script = Script(reason='It says "score": 3, no more.', score=10).weigh("score", {10: 0.5, 8: 0.3, 1: 0.1})
    with serving(OpenAIServer(script, digits=digits)) as server:
        status, payload = post(server, chat(SCORE_SCHEMA, logprobs=True, top_logprobs=20))
    assert status == 200
    choice = payload["choices"][0]
    tokens = choice["logprobs"]["content"]
    assert "".join(token["token"] for token in tokens) == choice["message"]["content"]
    place = next(at for at, token in enumerate(tokens) if len(token["top_logprobs"]) > 1)
    seen = {top["token"]: math.exp(top["logprob"]) for top in tokens[place]["top_logprobs"]}
    if digits == 3:
        assert seen == pytest.approx({"10": 0.5, "8": 0.3, "1": 0.1})
    else:
        assert seen == pytest.approx({"1": 0.6, "8": 0.3})
        after = {top["token"]: math.exp(top["logprob"]) for top in tokens[place + 1]["top_logprobs"]}
        assert after == pytest.approx({"0": 5 / 6, "}": 1 / 6})


def test_no_log_probabilities_unless_asked_for(openai_server: OpenAIServer) -> None:
    openai_server.script.say(score=3)
    assert post(openai_server, chat(SCORE_SCHEMA))[1]["choices"][0]["logprobs"] is None


def test_shared_prompt_prefix_is_counted_as_cached_tokens(
    openai_server: OpenAIServer, schema: Schema
) -> None:
    openai_server.script.say(verdicts=every("yes"))
    shared = "The same long context. " * 400
    counts = [
        post(openai_server, chat(schema, user=shared + tail))[1]["usage"]["prompt_tokens_details"][
            "cached_tokens"
        ]
        for tail in ("\n1. one", "\n1. another")
    ]
    assert counts[0] == 0
    assert counts[1] >= 1024
    assert counts[1] % 128 == 0


def test_different_response_schema_does_not_share_the_prefix_cache(
    openai_server: OpenAIServer, schema: Schema
) -> None:
    openai_server.script.say(verdicts=every("yes"))
    bounded = deepcopy(schema)
    bounded["properties"]["verdicts"] |= {"minItems": 2, "maxItems": 2}
    shared = "The same long context. " * 400
    plain, other, again = (
        post(openai_server, chat(sent, user=f"{shared}\n1. one\n2. two"))[1]["usage"]
        for sent in (schema, bounded, schema)
    )
    assert [usage["prompt_tokens_details"]["cached_tokens"] >= 1024 for usage in (plain, other, again)] == [
        False,
        False,
        True,
    ]
    assert other["prompt_tokens_details"]["cached_tokens"] == 0
    longer = len(json.dumps(bounded, separators=(",", ":"))) - len(json.dumps(schema, separators=(",", ":")))
    assert other["prompt_tokens"] - plain["prompt_tokens"] == pytest.approx(longer / 4, abs=1)


@pytest.mark.parametrize(
    ("finish", "reason"),
    [("length", "length"), ("content_filter", "content_filter"), ("refusal", "stop")],
)
def test_finish_reason_for_truncated_filtered_and_refused_answers(
    openai_server: OpenAIServer, schema: Schema, finish: Any, reason: str
) -> None:
    openai_server.script.say(verdicts=["yes"])
    openai_server.faults.add(finished(finish))
    choice = post(openai_server, chat(schema))[1]["choices"][0]
    assert choice["finish_reason"] == reason
    assert (choice["message"]["refusal"] is not None) == (finish == "refusal")


def test_empty_fault_returns_no_choices(openai_server: OpenAIServer, schema: Schema) -> None:
    openai_server.script.say(verdicts=["yes"])
    openai_server.faults.add(finished("empty"))
    assert post(openai_server, chat(schema))[1]["choices"] == []


def test_embeddings_are_given_vectors_or_derived_from_words() -> None:
    with serving(OpenAIServer(vectors={"a": [0.6, 0.8]})) as server:
        body = {"model": "text-embedding-3-small", "input": ["a", "some words", "some words"]}
        status, payload = post(server, body, path="/v1/embeddings")
        assert status == 200
        vectors = [entry["embedding"] for entry in payload["data"]]
        assert vectors[0] == [0.6, 0.8]
        assert vectors[1] == vectors[2]
        assert math.hypot(*vectors[1]) == pytest.approx(1)
        packed = post(server, body | {"encoding_format": "base64"}, path="/v1/embeddings")[1]["data"][0][
            "embedding"
        ]
        assert struct.unpack("<2f", base64.b64decode(packed)) == pytest.approx((0.6, 0.8))
        assert post(server, body | {"input": []}, path="/v1/embeddings")[1]["error"]["param"] == "input"
        assert post(server, body | {"texts": []}, path="/v1/embeddings")[1]["error"]["param"] == "texts"


def test_every_request_is_recorded(openai_server: OpenAIServer, schema: Schema) -> None:
    openai_server.script.say(verdicts=["yes"])
    post(openai_server, chat(schema))
    [recorded] = openai_server.requests
    assert recorded.headers["Authorization"] == HEADERS["openai"]["Authorization"]
    assert recorded.body == chat(schema)
    assert openai_server.asked[0].properties == ("verdicts",)
    assert openai_server.traffic.statuses == [200]
