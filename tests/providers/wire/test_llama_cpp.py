import json
from collections.abc import Mapping
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.laws.test_prompts import build
from tests.providers.asking import decisions, provider_of, request, run
from tests.servers.fixtures import serving
from tests.servers.openai import OpenAIServer
from tests.servers.script import Script
from tests.servers.test_prompt_schemas import every_prompt
from tests.testing.for_each import for_each

from ragstone.engine.dry_run import plausible_answer
from ragstone.errors import ProviderError
from ragstone.prompts import ExtractClaims, Prompt
from ragstone.providers import open_transport
from ragstone.providers.wire.chat_completions import encode
from ragstone.providers.wire.llama_cpp import ALTERNATIVES, LLAMA_CPP, in_grammar, recognise

TIMINGS = {"prompt_n": 520, "predicted_n": 61, "predicted_ms": 4233.675}


@for_each(
    "timings, fingerprint, server",
    [
        (TIMINGS, "b10434-7e4c0a9", LLAMA_CPP),
        (TIMINGS, "fp_44709d6fcb", ""),
        (TIMINGS, None, ""),
        (None, "b10434-7e4c0a9", ""),
        ({"total": 1.5}, "b10434-7e4c0a9", ""),
        ("prompt_n predicted_n", 7, ""),
    ],
)
def test_llama_cpp_is_recognised_by_timings_and_fingerprint(
    timings: object, fingerprint: object, server: str
) -> None:
    assert recognise(timings, fingerprint) == server


class LlamaCppServer(OpenAIServer):
    """Answers as llama.cpp's server does, and takes a grammar beyond OpenAI's subset."""

    finish_reason = "stop"

    async def complete(self, body: Mapping[str, Any]) -> Any:
        schema = body["response_format"]["json_schema"]["schema"]
        Draft202012Validator.check_schema(schema)
        verdicts = [{"item": n, "passage": 1, "reason": "r", "verdict": "supported"} for n in (1, 2)]
        text = json.dumps({"verdicts": verdicts})
        Draft202012Validator(schema).validate(json.loads(text))
        return {
            "choices": [
                {
                    "index": 0,
                    "finish_reason": self.finish_reason,
                    "message": {"role": "assistant", "content": text},
                }
            ],
            "system_fingerprint": "b10434-7e4c0a9",
            "timings": TIMINGS,
        }


def test_llama_cpp_grammar_is_used_from_the_second_request() -> None:
    with serving(LlamaCppServer(Script())) as server:
        provider = provider_of(server)

        async def main() -> None:
            async with open_transport():
                for _ in range(2):
                    decisions((await provider.complete(request(reason_words=8))).text)

        run(main())
    lists = [
        body["response_format"]["json_schema"]["schema"]["properties"]["verdicts"] for body in server.bodies
    ]
    assert lists[0]["maxItems"] == 2
    entries = lists[1]["prefixItems"]
    assert [entry["properties"]["item"]["enum"] for entry in entries] == [[1], [2]]
    assert entries[0]["properties"]["reason"] == {"type": "string", "maxLength": 80}


class CuttingServer(LlamaCppServer):
    """Cuts every answer off at its limit of tokens."""

    finish_reason = "length"


def test_truncated_answer_also_identifies_llama_cpp() -> None:
    """A model that rambles without the grammar would otherwise never get it."""
    with serving(CuttingServer(Script())) as server:
        provider = provider_of(server)

        async def main() -> None:
            async with open_transport():
                for _ in range(2):
                    with pytest.raises(ProviderError, match="token limit"):
                        await provider.complete(request(reason_words=8))

        run(main())
    first, second = (body["response_format"]["json_schema"]["schema"] for body in server.bodies)
    assert "prefixItems" not in first["properties"]["verdicts"]
    assert "prefixItems" in second["properties"]["verdicts"]


def test_llama_cpp_gets_more_top_logprobs_if_any_requested() -> None:
    known = frozenset({LLAMA_CPP})
    assert encode("m", request(top_logprobs=5), {}, known)["top_logprobs"] == ALTERNATIVES
    assert encode("m", request(top_logprobs=5), {})["top_logprobs"] == 5
    assert "top_logprobs" not in encode("m", request(), {}, known)


def test_grammar_claims_are_nonempty_without_max_length() -> None:
    schema = in_grammar(ExtractClaims(text="It opened.").schema(), 25)
    claims = schema["properties"]["claims"]
    assert claims["items"] == {"type": "string", "minLength": 1}
    assert claims["maxItems"] == 8


@for_each("kind", every_prompt())
def test_plausible_answer_fits_the_grammar_of_every_prompt(kind: type[Prompt[Any]]) -> None:
    prompt = build(kind, "One. Two.")
    schema = json.loads(json.dumps(in_grammar(prompt.schema(), 60), default=dict))
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(json.loads(plausible_answer(prompt, generous=False)))
