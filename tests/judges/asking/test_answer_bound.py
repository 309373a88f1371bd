import json
import re
from typing import Any

import pytest
from tests.testing.for_each import for_each

from ragstone.errors import ProviderError
from ragstone.judges import LLMJudge
from ragstone.judges.asking.answer_bound import most_tokens
from ragstone.prompts import ExtractClaims, JudgeClaims, JudgePassages, Prompt
from ragstone.providers import Completion, Request, open_transport
from ragstone.result import Usage


def bound_of(prompt: Prompt[Any]) -> int:
    return most_tokens(prompt.schema(), (text for _, text in prompt.evidence()))


class Cut:
    """A model whose answer is cut off at the bound it is given, after so many thoughts."""

    name, model = "cut", "m"
    supports_structured_outputs, supports_log_probs, supports_multimodal = True, False, False

    def __init__(self, partial: str, *, always: bool = False, answer_tokens: int = 9) -> None:
        self.partial = partial
        self.options: dict[str, object] = {}
        self.always, self.answer_tokens = always, answer_tokens
        self.bounds: list[int | None] = []
        self.messages: list[str] = []
        self.most_entries: list[int] = []

    async def complete(self, request: Request) -> Completion:
        self.bounds.append(request.max_tokens)
        self.messages.append(request.user)
        self.most_entries.append(request.schema["properties"]["claims"]["maxItems"])
        if request.max_tokens is None or (not self.always and len(self.bounds) > 1):
            usage = Usage(calls=1, output_tokens=self.answer_tokens)
            return Completion(json.dumps({"claims": ["c"]}), usage, self.model)
        error = ProviderError("reached its token limit")
        error.partial, error.spent = self.partial, Usage(calls=1, output_tokens=request.max_tokens)
        raise error


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("partial", "problem"),
    [('{"claims": ["c", "c", "c", ', "repeats itself"), ("It claims c, c, c", "thoughts or prose first")],
)
async def test_answer_that_is_cut_off_twice_raises_provider_error(partial: str, problem: str) -> None:
    provider = Cut(partial, always=True)
    async with open_transport():
        with pytest.raises(ProviderError, match=rf"did not finish its answer to ExtractClaims .* {problem}"):
            await LLMJudge(provider=provider).ask(ExtractClaims(text="It opened."))
    assert len(provider.bounds) == 2


@pytest.mark.anyio
async def test_list_without_an_end_is_asked_for_again_with_fewer_entries() -> None:
    provider = Cut('{"claims": ["c", "c", "c", ')
    async with open_transport():
        await LLMJudge(provider=provider).ask(ExtractClaims(text="It opened."))
        await LLMJudge(provider=provider).ask(ExtractClaims(text="It closed."))
    assert provider.most_entries == [8, 2, 8]
    first, second, third = provider.bounds
    assert first is not None
    assert (second, third) == (2 * first, first), "one cut answer does not lift the bound"


@pytest.mark.anyio
async def test_thoughts_without_a_mark_get_more_room_and_the_schema_in_words() -> None:
    provider = Cut("Okay, I should compare the text with", answer_tokens=4000)
    async with open_transport():
        await LLMJudge(provider=provider).ask(ExtractClaims(text="It opened."))
        await LLMJudge(provider=provider).ask(ExtractClaims(text="It closed."))
    first, second, third = provider.bounds
    assert first is not None
    assert second is not None
    assert second > 40 * first
    assert third is None, "the model needs room for its thoughts"
    assert ["JSON schema" in message for message in provider.messages] == [False, True, False]


@pytest.mark.anyio
@pytest.mark.parametrize(
    "options", [{"max_tokens": 8192}, {"thinking": {"type": "enabled", "budget_tokens": 2048}}]
)
async def test_max_tokens_or_thinking_options_replace_the_answer_bound(options: dict[str, object]) -> None:
    provider = Cut("")
    provider.options = options
    async with open_transport():
        await LLMJudge(provider=provider).ask(ExtractClaims(text="It opened."))
    assert provider.bounds == [None]


@pytest.mark.anyio
@pytest.mark.parametrize("thoughts", ["", "<think>The text says"])
async def test_thinking_model_is_asked_without_bound_after_first_truncation(thoughts: str) -> None:
    provider = Cut(thoughts)
    judge = LLMJudge(provider=provider)
    async with open_transport():
        first = await judge.ask(ExtractClaims(text="It opened."))
        await judge.ask(ExtractClaims(text="It closed."))
    assert provider.bounds[0] is not None
    assert provider.bounds[1:] == [None, None]
    assert first.usage == Usage(calls=2, output_tokens=provider.bounds[0] + 9)


@for_each("count", [1, 20])
def test_verdicts_have_room_for_each_reason(count: int) -> None:
    prompt = JudgeClaims(evidence_texts=("x" * 400,), claims=("c",) * count)
    bound = bound_of(prompt)
    assert 100 * count <= bound


@for_each("count", [1, 40])
def test_bound_allows_indented_reasons_of_twice_the_words(count: int) -> None:
    """An English word takes 1.3 tokens; blanks at the beginning of a line take one, as each line break does."""
    passages = ("It opened.",) * count
    prompt = JudgePassages(passages=passages, input="When?")
    reason = " ".join(["word"] * 2 * prompt.reason_words)
    entries = [{"item": n, "reason": reason, "verdict": "irrelevant"} for n in range(1, count + 1)]
    text = json.dumps({"verdicts": entries}, indent=2)
    tokens = sum(1.3 if part.isalpha() else 1 for part in re.findall(r"\w+|\n *|[^\w\s]", text))
    assert tokens <= most_tokens(
        prompt.schema(), (text for _, text in prompt.evidence()), prompt.reason_words
    )


def test_an_extraction_has_room_to_restate_its_text_twice_in_any_script() -> None:
    short, long = (ExtractClaims(text=text) for text in ("It opened.", "開館した。" * 400))
    assert bound_of(short) < 400
    assert bound_of(long) >= 1.5 * len(long.text)


def test_bound_is_equal_for_cached_and_plain_schemas() -> None:
    for prompt in (JudgeClaims(evidence_texts=("x" * 40,), claims=("c", "d")), ExtractClaims(text="é" * 90)):
        texts = [text for _, text in prompt.evidence()]
        plain: Any = json.loads(json.dumps(prompt.schema()))
        assert bound_of(prompt) == most_tokens(plain, texts)
