"""OpenAI's wire under other names: Azure's deployments, and any server by its URL."""

import pytest
from tests.providers.asking import complete, decisions, request
from tests.servers.openai import OpenAIServer

from ragstone.errors import BadOption, UsageError
from ragstone.providers import AzureOpenAI, OpenAI, get_provider


def test_a_deployment_is_asked_with_key_and_version(azure_server: OpenAIServer) -> None:
    azure_server.script.say(verdicts=["yes", "no"])
    provider = AzureOpenAI(
        model="judge", base_url=azure_server.origin, api_key="sk-loopback", api_version="2024-10-21"
    )
    assert decisions(complete(provider).text).verdicts[1].verdict == "no"
    (asked,) = azure_server.requests
    assert "response_format" in azure_server.bodies[0], "the bounds that Azure rejects are left out"
    assert asked.headers["api-key"] == "sk-loopback"
    assert asked.path.startswith("/openai/deployments/judge/chat/completions")
    assert not provider.supports_batches


def test_resource_key_and_version_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="AZURE_OPENAI_ENDPOINT"):
        get_provider("azure_openai:judge")
    monkeypatch.setenv("AZURE_OPENAI_ENDPOINT", "https://r.openai.azure.com/")
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", "a-key")
    monkeypatch.setenv("OPENAI_API_VERSION", "2025-01-01-preview")
    provider = get_provider("azure_openai:my judge")
    assert isinstance(provider, AzureOpenAI)
    assert provider.endpoint("chat/completions").url == (
        "https://r.openai.azure.com/openai/deployments/my%20judge/chat/completions?api-version=2025-01-01-preview"
    )
    with pytest.raises(BadOption, match="deployment"):
        AzureOpenAI()


def test_a_server_is_named_in_the_spec(openai_server: OpenAIServer) -> None:
    openai_server.script.say(verdicts=["yes", "no"])
    provider = get_provider(f"openai:qwen3:8b@{openai_server.base_url}", api_key="sk-loopback")
    assert isinstance(provider, OpenAI)
    assert (provider.model, provider.base_url) == ("qwen3:8b", openai_server.base_url)
    complete(provider, request())
    assert openai_server.bodies[0]["model"] == "qwen3:8b"
