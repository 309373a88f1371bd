import sys
from functools import partial
from types import ModuleType

import pytest
from tests.judges.detection.tables import Table
from tests.testing.for_each import for_each

from ragstone.errors import BadOption, ProviderError, UnknownName, UsageError
from ragstone.judges import DetectorJudge, LLMJudge, LocalJudge, ScriptedJudge, get_judge
from ragstone.prompts import Claims, ExtractClaims


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
    module.Overlap = Table  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "my_judges", module)
    judge = get_judge("my_judges:Mine")
    assert isinstance(judge, LLMJudge)
    assert judge.name == "mine:m"
    detector = get_judge("my_judges:Overlap")
    assert isinstance(detector, DetectorJudge)
    assert detector.name == "table"
    with pytest.raises(BadOption, match=r"is no judge: a judge has a method ask, a detector a method detect"):
        get_judge("my_judges:Nothing")


def test_unknown_judge_suggests_the_nearest_name() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'local'"):
        get_judge("locall")


def test_judge_without_api_key_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(UsageError, match="OPENAI_API_KEY"):
        get_judge("openai")


@for_each(
    "model, name",
    [
        ("gpt-4o-mini", "openai:gpt-4o-mini"),
        ("o4-mini", "openai:o4-mini"),
        ("claude-haiku-4-5", "anthropic:claude-haiku-4-5"),
        ("gemini-2.5-flash", "gemini:gemini-2.5-flash"),
        ("magistral-small-latest", "mistral:magistral-small-latest"),
        ("gpt-4o-mini@http://localhost:8000/v1", "openai:gpt-4o-mini"),
    ],
)
def test_name_of_a_model_is_enough_where_one_vendor_has_it(model: str, name: str) -> None:
    assert get_judge(model, offline=True).name == name


def blocking(prompt: str) -> str:
    assert '"claims"' in prompt, "the schema is in the words"
    return '{"claims": ["from a function"]}'


async def awaited(prompt: str) -> dict[str, list[str]]:
    del prompt
    return {"claims": ["from a function"]}


class Callable:
    async def __call__(self, prompt: str) -> str:
        return blocking(prompt)


@pytest.mark.anyio
@pytest.mark.parametrize("function", [blocking, awaited, Callable(), partial(blocking)])
async def test_function_is_a_judge(function: object) -> None:
    judge = get_judge(function)  # type: ignore[arg-type]
    reply = await judge.ask(ExtractClaims(text="It opened."))
    assert reply.answer == Claims(claims=("from a function",))
    assert judge.fingerprint(ExtractClaims(text="t")) is None, (
        "what it does is not known, so nothing is cached"
    )


@pytest.mark.anyio
async def test_error_of_a_function_names_it() -> None:
    def broken(prompt: str) -> str:
        raise ValueError(f"no model for {len(prompt) > 0}")

    with pytest.raises(ProviderError, match="function:broken failed: ValueError: no model for True"):
        await get_judge(broken).ask(ExtractClaims(text="t"))


def test_class_in_place_of_a_judge_is_refused_at_once() -> None:
    with pytest.raises(BadOption, match=r"judge=LLMJudge is a class, not a judge: write judge=LLMJudge\(…\)"):
        get_judge(LLMJudge)  # type: ignore[arg-type]


def test_class_that_needs_arguments_is_refused_by_its_spec() -> None:
    with pytest.raises(BadOption, match=r"class that cannot be created without arguments"):
        get_judge("ragstone.judges:LLMJudge")


def test_the_embedded_judge_is_found_without_the_metadata_of_installed_packages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[str] = []
    monkeypatch.setattr("ragstone.judges.catalog.installed", lambda kind: read.append(kind) or {})
    assert get_judge("local").name == "local"
    assert read == []
    with pytest.raises(UnknownName):
        get_judge("nobody")
    assert read == ["judge", "provider"]
