import json
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.providers.asking import run
from tests.testing.for_each import for_each

from ragstone.errors import ProviderError
from ragstone.providers import Endpoint, open_transport
from ragstone.providers.http.failures import AttemptFailure, FailureKind
from ragstone.providers.wire.chat_completions import OPTIONAL_PARAMETERS
from ragstone.providers.wire.parameter_support import (
    merge_options,
    post_negotiated,
    schema_in_prompt,
    to_json_bytes,
    unsupported_parameters,
)

HERE = Endpoint("openai", "m", "http://x/v1")
FULL = {
    "temperature": 0.0,
    "response_format": {},
    "logprobs": True,
    "top_logprobs": 20,
    "max_tokens": 5,
}


def refusal(words: str, parameter: str | None = None, status: int = 400) -> AttemptFailure:
    return AttemptFailure(
        FailureKind.ANSWERED,
        f"answered {status}: {words}",
        again=False,
        status=status,
        parameter=parameter,
        words=words,
    )


def left_out_after(*refusals: AttemptFailure) -> list[set[str]]:
    """Which parameters each call left out, where the first calls are refused in these words."""
    calls: list[set[str]] = []

    async def send(_: object, body: Any) -> bytes | AttemptFailure:
        calls.append(FULL.keys() - body.keys())
        return refusals[len(calls) - 1] if len(calls) <= len(refusals) else b"answer"

    async def main() -> None:
        async with open_transport():
            encode = lambda unsupported: merge_options(FULL, {}, unsupported)  # noqa: E731
            await post_negotiated(HERE, encode, OPTIONAL_PARAMETERS, send=send)

    run(main())
    return calls


@for_each(
    "failure, unsupported",
    [
        (
            refusal("Unsupported value: 'temperature' does not support 0.0 with this model.", "temperature"),
            "temperature",
        ),
        (
            refusal("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'.", "max_tokens"),
            "max_tokens",
        ),
        (refusal("'max_tokens' is not supported. Use 'max_completion_tokens' instead."), "max_tokens"),
        (refusal("This response_format type is unavailable now"), "response_format"),
        (
            refusal("Invalid parameter: 'response_format' of type 'json_schema'", "response_format"),
            "response_format",
        ),
        (refusal("body.response_format: Extra inputs are not permitted", status=422), "response_format"),
        (refusal("Structured output is not supported by this model."), "response_format"),
        (refusal("You are not allowed to request logprobs from this model", None), "logprobs"),
        (refusal("top_logprobs must be at most 5", "top_logprobs"), "logprobs"),
    ],
)
def test_rejected_parameter_is_left_out_of_the_next_call(failure: AttemptFailure, unsupported: str) -> None:
    assert left_out_after(failure) == [set(), {unsupported}]


def test_several_are_learnt_one_by_one() -> None:
    failures = (refusal("x", "temperature"), refusal("x", "logprobs"))
    assert left_out_after(*failures) == [set(), {"temperature"}, {"temperature", "logprobs"}]


@for_each(
    "failure",
    [
        refusal("This model's maximum context length is 8192 tokens; reduce max_tokens.", "context_length"),
        refusal("Invalid value for 'messages'. The text said: drop response_format, please.", "messages"),
        refusal("The request is no good."),
        refusal("temperature", "temperature", status=404),
        refusal("temperature", "temperature", status=500),
    ],
)
def test_any_other_refusal_is_final(failure: AttemptFailure) -> None:
    with pytest.raises(ProviderError, match="answered"):
        left_out_after(failure)


def test_a_parameter_that_was_not_sent_cannot_be_at_fault() -> None:
    twice = refusal("x", "temperature")
    with pytest.raises(ProviderError):
        left_out_after(twice, twice)


def test_unsupported_parameters_are_kept_per_server_and_model() -> None:
    async def main() -> None:
        async with open_transport() as transport:
            assert not unsupported_parameters(HERE)
            transport.mark_unsupported(HERE.url, HERE.model, "logprobs")
            assert unsupported_parameters(HERE) == {"logprobs"}
            assert not unsupported_parameters(Endpoint("openai", "other", HERE.url))
            assert not unsupported_parameters(Endpoint("openai", "m", "http://y/v1"))
        assert not unsupported_parameters(HERE)

    run(main())


@given(
    st.dictionaries(st.text(), st.text() | st.integers() | st.booleans() | st.none() | st.lists(st.text()))
)
def test_to_json_bytes_round_trips(body: dict[str, Any]) -> None:
    assert json.loads(to_json_bytes(body)) == body


def test_lone_surrogate_is_replaced_in_json() -> None:
    assert json.loads(to_json_bytes({"text": "a\ud800b", "schema": MappingProxyType({"é": 1})})) == {
        "text": "a?b",
        "schema": {"é": 1},
    }


def test_the_schema_in_words_comes_last() -> None:
    text = schema_in_prompt("Judge.", {"type": "object"})
    assert text.startswith("Judge.\n\n")
    assert text.endswith('\n{"type":"object"}')
