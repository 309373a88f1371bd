from dataclasses import dataclass

import pytest
from tests.testing.for_each import for_each

from ragstone.errors import BadOption, UnknownName, UsageError
from ragstone.providers import Anthropic, Completion, Ollama, OpenAI, Provider, Request, get_provider
from ragstone.result import Usage


@dataclass(frozen=True)
class Echo:
    """A provider of one's own."""

    model: str = "echo-1"
    name: str = "echo"
    supports_structured_outputs: bool = False
    supports_log_probs: bool = False
    supports_multimodal: bool = False

    async def complete(self, request: Request) -> Completion:
        return Completion(request.user, Usage(calls=1), self.model)


NOT_A_PROVIDER = object()


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-1")


@for_each(
    "spec, provider",
    [
        ("openai", OpenAI(model="gpt-4o-mini", api_key="sk-1")),
        ("openai:gpt-4.1", OpenAI(model="gpt-4.1", api_key="sk-1")),
        ("openai:ft:gpt-4o:org::id", OpenAI(model="ft:gpt-4o:org::id", api_key="sk-1")),
        ("anthropic", Anthropic(api_key="sk-ant-1")),
        ("anthropic:claude-opus-5-5", Anthropic(model="claude-opus-5-5", api_key="sk-ant-1")),
        ("ollama", Ollama()),
        ("ollama:qwen3:8b", Ollama(model="qwen3:8b")),
        (" openai:gpt-4.1 ", OpenAI(model="gpt-4.1", api_key="sk-1")),
    ],
)
def test_get_provider_parses_specs(spec: str, provider: Provider) -> None:
    assert get_provider(spec) == provider


def test_options_are_handed_on() -> None:
    found = get_provider("openai:m", base_url="http://localhost:8000/v1")
    assert isinstance(found, OpenAI)
    assert found.base_url == "http://localhost:8000/v1"


def test_custom_provider_is_found_by_import_path() -> None:
    assert isinstance(get_provider(f"{__name__}:Echo"), Provider)
    assert get_provider(f"{__name__}:Echo").model == "echo-1"


@for_each("spec", ["opnai", "opnai:gpt-4o", ""])
def test_unknown_provider_name_suggests_openai(spec: str) -> None:
    with pytest.raises(UnknownName, match="openai"):
        get_provider(spec)


def test_object_without_complete_is_refused() -> None:
    with pytest.raises(BadOption, match="complete"):
        get_provider(f"{__name__}:NOT_A_PROVIDER")


def test_litellm_spec_needs_a_model() -> None:
    with pytest.raises(UsageError, match="litellm"):
        get_provider("litellm")


def test_a_missing_key_is_said_before_any_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(UsageError, match="OPENAI_API_KEY"):
        get_provider("openai:gpt-4o")
