import sys
from types import ModuleType

import pytest

from ragstone.errors import BadOption, UnknownName, UsageError
from ragstone.judges import LLMJudge, LocalJudge, ScriptedJudge, get_judge


def test_default_judge_is_local() -> None:
    assert isinstance(get_judge(), LocalJudge)
    assert isinstance(get_judge("local"), LocalJudge)


def test_a_judge_is_returned_as_it_is() -> None:
    judge = ScriptedJudge()
    assert get_judge(judge) is judge


def test_get_judge_reads_vendor_and_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    assert get_judge("openai").name == "openai:gpt-4o-mini"
    assert get_judge("openai:gpt-4o").name == "openai:gpt-4o"


def test_custom_provider_becomes_an_llm_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    class Mine:
        name, model = "mine", "m"
        supports_structured_outputs = supports_log_probs = supports_multimodal = False

        async def complete(self, request: object) -> object:
            return request

    module = ModuleType("my_judges")
    module.Mine = Mine  # type: ignore[attr-defined]
    module.Nothing = dict  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "my_judges", module)
    judge = get_judge("my_judges:Mine")
    assert isinstance(judge, LLMJudge)
    assert judge.name == "mine:m"
    with pytest.raises(BadOption, match=r"neither a judge .* nor a provider"):
        get_judge("my_judges:Nothing")


def test_unknown_judge_suggests_the_nearest_name() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'local'"):
        get_judge("locall")


def test_judge_without_api_key_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(UsageError, match="OPENAI_API_KEY"):
        get_judge("openai")
