"""LiteLLM against the strict loopback server; the calls run where the extra is installed, loudly skipped elsewhere."""

import importlib.util
import os
from typing import Any

import pytest
from tests.providers.asking import complete, decisions, request, run
from tests.servers import faults
from tests.servers.fixtures import serving
from tests.servers.openai import OpenAIServer
from tests.servers.script import Script

from ragstone.errors import AccessRefused, BadOption, MissingExtra, ProviderError, TimedOut
from ragstone.providers import LiteLLM, open_transport
from ragstone.providers import litellm as module

INSTALLED = importlib.util.find_spec("litellm") is not None
calls = pytest.mark.skipif(
    not INSTALLED, reason="the extra litellm is not installed: pip install 'ragstone[litellm]'"
)
# Its own warnings (of its dependencies' deprecated calls, of connections it never closes) are not ours to mend.
pytestmark = pytest.mark.filterwarnings("default")


def provider(server: OpenAIServer, **options: Any) -> LiteLLM:
    given = {"model": "openai/judge-1", "base_url": server.base_url, "api_key": "sk-loopback", **options}
    return LiteLLM(**given)


def test_litellm_without_model_is_refused() -> None:
    with pytest.raises(BadOption, match="litellm:"):
        LiteLLM()


def test_missing_extra_is_named_in_the_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match=r"ragstone\[litellm\]"):
        LiteLLM(model="openai/gpt-4o")


@calls
def test_litellm_completion_has_text_usage_and_tokens(openai_server: OpenAIServer) -> None:
    openai_server.script.say(verdicts=["yes", "no"])
    completion = complete(provider(openai_server), request(top_logprobs=5))
    assert [one.verdict for one in decisions(completion.text).verdicts] == ["yes", "no"]
    assert completion.usage.input_tokens > 0
    assert completion.tokens[0].top
    assert openai_server.bodies[0]["response_format"]["json_schema"]["strict"] is True
    assert os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] == "True"


@calls
def test_transient_faults_are_retried_by_ragstone_alone(openai_server: OpenAIServer) -> None:
    openai_server.script.say(verdicts=["yes", "no"])
    openai_server.faults.add(faults.rate_limited(0.05), nth=1)
    openai_server.faults.add(faults.status(500), nth=2)
    openai_server.faults.add(faults.reset(), nth=3)
    complete(provider(openai_server))
    assert len(openai_server.requests) == 4


@calls
@pytest.mark.parametrize(
    ("code", "kind"), [(400, ProviderError), (401, AccessRefused), (403, AccessRefused), (404, ProviderError)]
)
def test_litellm_client_error_is_not_retried(
    openai_server: OpenAIServer, code: int, kind: type[Exception]
) -> None:
    openai_server.faults.add(faults.status(code, "Incorrect key sk-loopback provided."))
    with pytest.raises(kind) as caught:
        complete(provider(openai_server))
    assert "sk-loopback" not in str(caught.value)
    assert str(caught.value).startswith("litellm: openai/judge-1")
    assert len(openai_server.requests) == 1


@calls
def test_a_stalled_answer_is_late(openai_server: OpenAIServer) -> None:
    openai_server.faults.add(faults.stall())
    with pytest.raises(TimedOut, match="2 attempts"):
        complete(provider(openai_server), timeout=0.5)


@calls
def test_litellm_omits_and_remembers_rejected_temperature() -> None:
    with serving(OpenAIServer(Script(verdicts=["yes", "no"]), reasoning=True)) as server:

        async def main() -> None:
            async with open_transport():
                await provider(server).complete(request())
                await provider(server).complete(request())

        run(main())
        assert ["temperature" in body for body in server.bodies] == [True, False, False]
