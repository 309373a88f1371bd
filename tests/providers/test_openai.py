import pickle

import pytest
from tests.providers.asking import complete, decisions, provider_of, request, run
from tests.servers.fixtures import serving
from tests.servers.openai import OpenAIServer
from tests.servers.script import Script

from ragstone.errors import AccessRefused, ProviderError, UsageError
from ragstone.providers import OpenAI, open_transport


def scripted(**kind: object) -> OpenAIServer:
    return OpenAIServer(Script(verdicts=["yes", "no"]), **kind)  # type: ignore[arg-type]


def test_openai_without_key_raises_usage_error() -> None:
    with pytest.raises(UsageError, match="OPENAI_API_KEY"):
        OpenAI()


def test_a_server_of_ones_own_needs_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    assert OpenAI(base_url="http://localhost:8000/v1").api_key is None
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:1234/v1")
    assert OpenAI().base_url == "http://localhost:1234/v1"


def test_key_and_address_come_from_the_environment(
    openai_server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-loopback\n")
    monkeypatch.setenv("OPENAI_BASE_URL", f"{openai_server.base_url}/")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-1")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-1")
    openai_server.script.say(verdicts=["yes", "no"])
    complete(OpenAI())
    headers = openai_server.requests[0].headers
    assert headers["Authorization"] == "Bearer sk-loopback"
    assert (headers["OpenAI-Organization"], headers["OpenAI-Project"]) == ("org-1", "proj-1")
    assert openai_server.requests[0].path == "/v1/chat/completions"


def test_repr_hides_key_and_headers() -> None:
    provider = OpenAI(api_key="sk-hidden-key", headers={"X-Gate": "hidden-gate"})
    assert "hidden" not in repr(provider)
    assert "hidden" not in repr(provider.endpoint("chat/completions"))


def test_openai_provider_supports_equality_hash_and_pickle() -> None:
    provider = OpenAI(api_key="sk-1", options={"seed": 1})
    assert provider == OpenAI(api_key="sk-1", options={"seed": 1})
    assert provider != OpenAI(api_key="sk-1", options={"seed": 2})
    assert hash(provider) == hash(OpenAI(api_key="sk-1", options={"seed": 2}))
    _ = provider.supports_log_probs
    assert pickle.loads(pickle.dumps(provider)) == provider  # noqa: S301  (our own bytes)


def test_log_probabilities_arrive(openai_server: OpenAIServer) -> None:
    openai_server.script.say(verdicts=["yes", "no"])
    completion = complete(provider_of(openai_server), request(top_logprobs=20))
    assert "".join(token.text for token in completion.tokens) == completion.text
    assert completion.tokens[0].top
    assert openai_server.bodies[0]["top_logprobs"] == 20


@pytest.mark.parametrize("path", ["/openai/v1", "/openai/deployments/judge?api-version=2024-10-21"])
def test_azure_by_base_url_and_key_header(azure_server: OpenAIServer, path: str) -> None:
    azure_server.script.say(verdicts=["yes", "no"])
    provider = OpenAI(
        model="judge", base_url=azure_server.origin + path, api_key="sk-loopback", key_header="api-key"
    )
    assert decisions(complete(provider).text).verdicts[1].verdict == "no"
    assert azure_server.requests[0].headers["api-key"] == "sk-loopback"
    assert "Authorization" not in azure_server.requests[0].headers


def test_rejected_response_format_is_omitted_and_remembered() -> None:
    with serving(scripted(structured="unknown")) as server:
        provider = provider_of(server)

        async def main() -> None:
            async with open_transport():
                for _ in range(3):
                    decisions((await provider.complete(request())).text)

        run(main())
        assert ["response_format" in body for body in server.bodies] == [True, False, False, False]
        complete(provider)
        assert "response_format" in server.bodies[4], "what one run learnt is not kept beyond it"


def test_json_mode_is_not_mistaken_for_schemas() -> None:
    with serving(scripted(structured="json_object")) as server:
        assert decisions(complete(provider_of(server)).text).verdicts[0].verdict == "yes"


def test_parameters_rejected_by_reasoning_model_are_not_sent_again() -> None:
    with serving(scripted(reasoning=True)) as server:
        provider = provider_of(server)
        asked = request(top_logprobs=5, max_tokens=500)

        async def main() -> bool:
            async with open_transport():
                await provider.complete(asked)
                learnt = len(server.bodies)
                await provider.complete(asked)
                assert len(server.bodies) == learnt + 1
                return provider.supports_log_probs

        assert run(main()) is False
        last = server.bodies[-1]
        assert not {"temperature", "logprobs", "top_logprobs", "max_tokens"} & last.keys()
        assert last["max_completion_tokens"] == 500
        assert "response_format" in last


def test_unknown_model_is_not_retried() -> None:
    with serving(scripted(models=["gpt-4o"])) as server:
        with pytest.raises(ProviderError, match="does not exist") as caught:
            complete(provider_of(server, model="gpt-5o"))
        assert caught.value.status == 404
        assert "gpt-5o" in str(caught.value)
        assert len(server.requests) == 1


def test_a_wrong_key_is_refused_once_and_not_shown(openai_server: OpenAIServer) -> None:
    with pytest.raises(AccessRefused, match="401") as caught:
        complete(provider_of(openai_server, api_key="sk-wrong-one"))
    assert "sk-wrong-one" not in str(caught.value)
    assert len(openai_server.requests) == 1
