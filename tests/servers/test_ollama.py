import json
from typing import Any

import pytest
from tests.servers.faults import finished, status
from tests.servers.fixtures import serving
from tests.servers.ollama import OllamaServer
from tests.servers.script import Script
from tests.servers.wire import ollama_chat, post

Schema = dict[str, Any]


def test_answer_follows_the_format_schema(ollama_server: OllamaServer, schema: Schema) -> None:
    ollama_server.script.say(verdicts=["yes", "idk"])
    code, payload = post(
        ollama_server, ollama_chat(schema, options={"temperature": 0, "num_ctx": 8192, "seed": 1})
    )
    assert code == 200
    assert (payload["done"], payload["done_reason"], payload["message"]["role"]) == (
        True,
        "stop",
        "assistant",
    )
    assert [v["verdict"] for v in json.loads(payload["message"]["content"])["verdicts"]] == ["yes", "idk"]
    assert payload["prompt_eval_count"] > 0
    assert payload["eval_count"] > 0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"temperature": 0}, "temperature: unknown"),
        ({"options": {"max_tokens": 5}}, "invalid option provided: max_tokens"),
        ({"stream": None}, "does not stream"),
        ({"format": "yaml"}, "invalid format"),
        ({"format": {"type": "thing"}}, "invalid format"),
        ({"format": 3}, "format: type"),
        ({"messages": [{"role": "developer", "content": "x"}]}, "messages: a role of"),
        ({"top_logprobs": 3}, "requires logprobs"),
    ],
)
def test_invalid_request_is_rejected_with_reason(
    ollama_server: OllamaServer, schema: Schema, change: Schema, words: str
) -> None:
    code, payload = post(ollama_server, ollama_chat(schema) | change)
    assert code == 400
    assert words in payload["error"]


def test_model_not_pulled_returns_404(schema: Schema) -> None:
    with serving(OllamaServer(Script(verdicts=["yes"]), models=["llama3.2"])) as server:
        assert post(server, ollama_chat(schema, model="llama3.2:latest"))[0] == 200
        code, payload = post(server, ollama_chat(schema, model="qwen3"))
    assert code == 404
    assert payload == {"error": 'model "qwen3" not found, try pulling it first'}


def test_api_key_is_required_when_configured(schema: Schema) -> None:
    with serving(OllamaServer(Script(verdicts=["yes"]), key="k")) as server:
        assert post(server, ollama_chat(schema))[0] == 401
        assert post(server, ollama_chat(schema), headers={"Authorization": "Bearer k"})[0] == 200


def test_errors_are_one_string(ollama_server: OllamaServer, schema: Schema) -> None:
    ollama_server.faults.add(status(503, "server busy, please try again."))
    assert post(ollama_server, ollama_chat(schema)) == (503, {"error": "server busy, please try again."})


def test_length_fault_truncates_the_answer(ollama_server: OllamaServer, schema: Schema) -> None:
    ollama_server.script.say(verdicts=["yes"])
    ollama_server.faults.add(finished("length"))
    payload = post(ollama_server, ollama_chat(schema))[1]
    assert payload["done_reason"] == "length"
    with pytest.raises(json.JSONDecodeError):
        json.loads(payload["message"]["content"])


def test_logprobs_are_returned_only_on_request() -> None:
    score = {"type": "object", "properties": {"score": {"type": "integer"}}, "required": ["score"]}
    with serving(OllamaServer(Script(score=4).weigh("score", {4: 0.7, 5: 0.3}))) as server:
        tokens = post(server, ollama_chat(score, logprobs=True, top_logprobs=5))[1]["logprobs"]
        assert "logprobs" not in post(server, ollama_chat(score))[1]
    assert [top["token"] for token in tokens for top in token["top_logprobs"] if top["logprob"] < -0.1] == [
        "4",
        "5",
    ]


def test_embed_endpoint_returns_given_vectors() -> None:
    with serving(OllamaServer(vectors={"a": [0.0, 1.0]})) as server:
        code, payload = post(server, {"model": "nomic-embed-text", "input": ["a", "b"]}, path="/api/embed")
        assert code == 200
        assert payload["embeddings"][0] == [0.0, 1.0]
        assert len(payload["embeddings"]) == 2
        assert post(server, {"model": "m", "prompt": "a"}, path="/api/embed")[0] == 400
