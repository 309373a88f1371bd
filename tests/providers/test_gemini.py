"""Gemini's wire format, against a strict server of its own."""

import asyncio
import json
from typing import Any

import pytest
from tests.laws.test_prompts import build
from tests.providers.asking import request
from tests.servers.test_prompt_schemas import every_prompt
from tests.testing.for_each import for_each

from ragstone.errors import AccessRefused, ProviderError, UsageError
from ragstone.prompts.base.prompt import Prompt
from ragstone.providers import Completion, Gemini, Retry, Token, get_provider, open_transport
from ragstone.result import Usage

FIELDS = {"systemInstruction", "contents", "generationConfig"}
CONFIG = {
    "temperature",
    "maxOutputTokens",
    "responseMimeType",
    "responseJsonSchema",
    "responseLogprobs",
    "logprobs",
    "seed",
}
KEYWORDS = {"$id", "$defs", "$ref", "$anchor", "type", "format", "title", "description", "enum", "items"} | {
    *("prefixItems", "minItems", "maxItems", "minimum", "maximum", "anyOf", "oneOf", "properties"),
    *("additionalProperties", "required", "propertyOrdering"),
}
"""Those that the reference of `responseJsonSchema` names as supported (GenerationConfig, read in November 2026)."""
ANSWER = '{"verdicts": []}'


def keywords(schema: dict[str, Any]) -> set[str]:
    """Return the keywords of a schema and of the schemas in it."""
    inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", ())]
    inner += [schema["items"]] if "items" in schema else []
    return set(schema).union(*map(keywords, inner))


def refusal(sent: dict[str, Any], config: set[str]) -> str | None:
    """What the API says of a request, None if nothing is wrong with it."""
    if set(sent) != FIELDS:
        return f"Unknown name: {sorted(set(sent) ^ FIELDS)}"
    if unknown := sent["generationConfig"].keys() - config:
        return f"Invalid JSON payload received. Unknown name {min(unknown)!r} at 'generation_config'"
    if (
        "responseJsonSchema" in sent["generationConfig"]
        and "responseMimeType" not in sent["generationConfig"]
    ):
        return "response_json_schema needs the response_mime_type application/json"
    if unknown := keywords(sent["generationConfig"].get("responseJsonSchema", {})) - KEYWORDS:
        return f"response_json_schema: unsupported keyword {min(unknown)!r}"
    if [list(part) for part in sent["contents"][0]["parts"]] != [["text"]] or sent["contents"][0][
        "role"
    ] != "user":
        return "contents"
    return None


def ask(
    answer: dict[str, Any] | None = None,
    *,
    key: str = "g-loopback-0123",
    times: int = 1,
    lacks: str = "",
    **changes: Any,
) -> tuple[list[Completion], list[dict[str, Any]], list[str]]:
    bodies: list[dict[str, Any]] = []
    heads: list[str] = []
    good = {
        "candidates": [{"content": {"role": "model", "parts": [{"text": ANSWER}]}, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 9, "candidatesTokenCount": 2, "thoughtsTokenCount": 3},
        "modelVersion": "gemini-2.5-flash-001",
    }

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = next(
            int(x.split(":")[1]) for x in head.split("\r\n") if x.lower().startswith("content-length")
        )
        body = json.loads(await reader.readexactly(length))
        bodies.append(body)
        heads.append(head)
        status, said = 200, answer or good
        if "x-goog-api-key: g-loopback-0123" not in head:
            status, said = (
                403,
                {"error": {"code": 403, "message": f"API key {key} not valid", "status": "DENIED"}},
            )
        elif wrong := refusal(body, CONFIG - {lacks}):
            status, said = 400, {"error": {"code": 400, "message": wrong, "status": "INVALID_ARGUMENT"}}
        text = json.dumps(said).encode()
        writer.write(
            b"HTTP/1.1 %d X\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s" % (status, len(text), text)
        )
        await writer.drain()
        writer.close()

    async def main() -> list[Completion]:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        async with server, open_transport(retry=Retry(base=0.01)):
            base = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
            provider = Gemini(base_url=base, api_key=key)
            return [await provider.complete(request(**changes)) for _ in range(times)]

    return asyncio.run(main()), bodies, heads


def test_gemini_completion_has_text_usage_and_model() -> None:
    (completion,), (body,), (head,) = ask(max_tokens=64)
    assert completion == Completion(
        ANSWER, Usage(calls=1, input_tokens=9, output_tokens=5), "gemini-2.5-flash-001"
    )
    assert head.startswith("POST /v1beta/models/gemini-2.5-flash:generateContent HTTP/1.1")
    config = body["generationConfig"]
    assert config["responseJsonSchema"] == request().schema
    assert (config["maxOutputTokens"], config["temperature"]) == (64, 0.0)


@for_each("prompt", every_prompt())
def test_no_schema_has_a_keyword_that_the_api_lacks(prompt: type[Prompt[Any]]) -> None:
    assert keywords(dict(build(prompt, "One. Two.", items=3).schema())) <= KEYWORDS


def test_truncated_answer_error_holds_the_partial_text() -> None:
    with pytest.raises(ProviderError) as caught:
        ask({"candidates": [{"finishReason": "MAX_TOKENS", "content": {"parts": [{"text": '{"verd'}]}}]})
    assert caught.value.partial == '{"verd'


@for_each("lacks", ["responseJsonSchema", "logprobs"])
def test_rejected_parameter_is_omitted_from_then_on(lacks: str) -> None:
    completions, bodies, _ = ask(times=2, lacks=lacks, top_logprobs=5)
    assert [one.text for one in completions] == [ANSWER, ANSWER]
    assert [lacks in body["generationConfig"] for body in bodies] == [True, False, False]
    if lacks == "responseJsonSchema":
        assert "fits this JSON schema" in bodies[1]["systemInstruction"]["parts"][0]["text"]


def test_wrong_key_is_refused_without_being_shown() -> None:
    with pytest.raises(AccessRefused) as caught:
        ask(key="g-wrong-key-0123")
    assert "g-wrong" not in str(caught.value)


@for_each(
    "answer, words",
    [
        ({"candidates": [{"finishReason": "MAX_TOKENS", "content": {"parts": []}}]}, "token limit"),
        ({"candidates": [{"finishReason": "SAFETY"}]}, "SAFETY"),
        ({"promptFeedback": {"blockReason": "OTHER"}}, "gave no candidate: OTHER"),
        ({"candidates": 7}, "not a candidate"),
    ],
)
def test_unusable_gemini_reply_raises_provider_error(answer: dict[str, Any], words: str) -> None:
    with pytest.raises(ProviderError, match=words):
        ask(answer)


def test_thoughts_are_left_out_and_log_probabilities_read() -> None:
    chosen = {"token": "7", "logProbability": -0.25}
    body = {
        "candidates": [
            {
                "content": {"parts": [{"text": "hm", "thought": True}, {"text": "7"}]},
                "logprobsResult": {
                    "chosenCandidates": [chosen],
                    "topCandidates": [{"candidates": [chosen, {"token": "8", "logProbability": -1.5}]}],
                },
            }
        ]
    }
    found = Gemini(api_key="k", model="m").decode(json.dumps(body).encode())
    assert (found.text, found.tokens) == ("7", (Token("7", -0.25, (("7", -0.25), ("8", -1.5))),))


def test_gemini_spec_needs_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(UsageError, match="GEMINI_API_KEY"):
        get_provider("gemini")
    monkeypatch.setenv("GOOGLE_API_KEY", "g-1")
    assert get_provider("gemini:gemini-3-pro").model == "gemini-3-pro"
