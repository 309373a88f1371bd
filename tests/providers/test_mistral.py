from collections.abc import Iterator

import pytest
from tests.providers.asking import complete, decisions, request
from tests.servers.fixtures import serving
from tests.servers.mistral import MistralServer
from tests.servers.script import Script

from ragstone import evaluate
from ragstone.errors import ProviderError, UsageError
from ragstone.judges import LLMJudge
from ragstone.providers import Mistral, get_provider


@pytest.fixture
def server() -> Iterator[MistralServer]:
    with serving(MistralServer(Script(claims=["c"], truths=["t"], verdicts=["yes", "no"], score=2))) as found:
        yield found


def provider(server: MistralServer, **options: object) -> Mistral:
    return Mistral(base_url=server.base_url, **{"api_key": "sk-loopback", **options})  # pyright: ignore[reportArgumentType]


def test_mistral_request_has_only_supported_fields(server: MistralServer) -> None:
    mistral = provider(server)
    answer = complete(mistral, request(top_logprobs=20, max_tokens=300))
    assert decisions(answer.text).verdicts[1].verdict == "no"
    assert answer.usage.input_tokens > 0
    assert (len(server.requests), server.bodies[0]["max_tokens"]) == (1, 300) or "logprobs" in server.bodies[
        0
    ]
    assert not mistral.supports_log_probs
    assert not mistral.supports_batches


def test_faithfulness_is_measured_by_mistral_without_retries(server: MistralServer) -> None:
    case = {"actual_output": "It is 4.", "input": "What is 2 + 2?", "retrieval_context": ["2 + 2 = 4."]}
    server.script.say(claims=["It is 4."], truths=["2 + 2 = 4."], verdicts=["yes"])
    report = evaluate([case], ["faithfulness"], judge=LLMJudge(provider=provider(server)))
    assert report.results[0][0].score == 1.0
    assert len(server.requests) == report.usage.calls == 2


def test_unknown_option_is_named_in_the_error(server: MistralServer) -> None:
    with pytest.raises(ProviderError, match=r"422.*seed.*Extra inputs are not permitted"):
        complete(provider(server, options={"seed": 7}))


def test_wrong_mistral_key_is_reported_as_401(server: MistralServer) -> None:
    with pytest.raises(ProviderError, match=r"401: Unauthorized.* Check the key"):
        complete(provider(server, api_key="sk-another-key"))


def test_mistral_needs_its_own_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-openai")
    with pytest.raises(UsageError, match="MISTRAL_API_KEY"):
        get_provider("mistral")
    monkeypatch.setenv("MISTRAL_API_KEY", "a-key")
    assert get_provider("mistral").model == "mistral-small-latest"
