import json
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.providers.asking import run

from ragstone.errors import ProviderError
from ragstone.providers import Endpoint, open_transport
from ragstone.providers._ask import accepts, ask_through, dump, learn, merge, with_schema
from ragstone.providers._chat import NAMES
from ragstone.providers._fault import Fault, Kind

HERE = Endpoint("openai", "m", "http://x/v1")
FULL = {
    "temperature": 0.0,
    "response_format": {},
    "logprobs": True,
    "top_logprobs": 20,
    "max_tokens": 5,
}


def refusal(words: str, parameter: str | None = None, status: int = 400) -> Fault:
    return Fault(
        Kind.ANSWERED,
        f"answered {status}: {words}",
        again=False,
        status=status,
        parameter=parameter,
        words=words,
    )


def left_out_after(*refusals: Fault) -> list[set[str]]:
    """Which parameters each call left out, where the first calls are refused in these words."""
    calls: list[set[str]] = []

    async def send(_: object, body: Any) -> str | Fault:
        calls.append(FULL.keys() - body.keys())
        return refusals[len(calls) - 1] if len(calls) <= len(refusals) else "answer"

    async def main() -> None:
        async with open_transport():
            encode = lambda left_out: merge(FULL, {}, left_out)  # noqa: E731
            await ask_through(HERE, encode, NAMES, send)

    run(main())
    return calls


@pytest.mark.parametrize(
    ("fault", "left_out"),
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
def test_what_is_turned_down_is_left_out(fault: Fault, left_out: str) -> None:
    assert left_out_after(fault) == [set(), {left_out}]


def test_several_are_learnt_one_by_one() -> None:
    faults = (refusal("x", "temperature"), refusal("x", "logprobs"))
    assert left_out_after(*faults) == [set(), {"temperature"}, {"temperature", "logprobs"}]


@pytest.mark.parametrize(
    "fault",
    [
        refusal("This model's maximum context length is 8192 tokens; reduce max_tokens.", "context_length"),
        refusal("Invalid value for 'messages'. The text said: drop response_format, please.", "messages"),
        refusal("The request is no good."),
        refusal("temperature", "temperature", status=404),
        refusal("temperature", "temperature", status=500),
    ],
)
def test_any_other_refusal_is_final(fault: Fault) -> None:
    with pytest.raises(ProviderError, match="answered"):
        left_out_after(fault)


def test_a_parameter_that_was_not_sent_cannot_be_at_fault() -> None:
    twice = refusal("x", "temperature")
    with pytest.raises(ProviderError):
        left_out_after(twice, twice)


def test_what_is_learnt_is_of_one_server_and_model() -> None:
    async def main() -> None:
        learn(HERE, "logprobs")
        async with open_transport():
            assert accepts(HERE, "logprobs")
            learn(HERE, "logprobs")
            assert not accepts(HERE, "logprobs")
            assert accepts(HERE, "temperature")
            assert accepts(Endpoint("openai", "other", HERE.url), "logprobs")
            assert accepts(Endpoint("openai", "m", "http://y/v1"), "logprobs")

    run(main())


@given(
    st.dictionaries(st.text(), st.text() | st.integers() | st.booleans() | st.none() | st.lists(st.text()))
)
def test_json_is_what_was_meant(body: dict[str, Any]) -> None:
    assert json.loads(dump(body)) == body


def test_half_a_surrogate_pair_still_travels() -> None:
    assert json.loads(dump({"text": "a\ud800b", "schema": MappingProxyType({"é": 1})})) == {
        "text": "a?b",
        "schema": {"é": 1},
    }


def test_the_schema_in_words_comes_last() -> None:
    text = with_schema("Judge.", {"type": "object"})
    assert text.startswith("Judge.\n\n")
    assert text.endswith('\n{"type":"object"}')
