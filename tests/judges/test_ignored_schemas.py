"""A server that ignores schemas: the first unusable answer is asked again with the schema in words, once a run."""

import json

import pytest

from ragstone.judges import LLMJudge
from ragstone.prompts import Claims, ExtractClaims
from ragstone.providers import Completion, Request, open_transport
from ragstone.result import Usage

pytestmark = pytest.mark.anyio


class IgnoresSchemas:
    """Answers in prose unless the schema stands in the words of the message."""

    name, model = "deaf", "m"
    supports_structured_outputs, supports_log_probs, supports_multimodal = True, False, False

    def __init__(self, *, heeds_words: bool = True) -> None:
        self.heeds_words = heeds_words
        self.messages: list[str] = []

    async def complete(self, request: Request) -> Completion:
        self.messages.append(request.user)
        heeded = self.heeds_words and "JSON schema" in request.user
        text = json.dumps({"claims": ["c"]}) if heeded else "It claims c."
        return Completion(text, Usage(calls=1), self.model)


async def test_ignored_schema_is_put_in_the_message_for_the_run() -> None:
    provider = IgnoresSchemas()
    judge = LLMJudge(provider=provider)
    async with open_transport():
        first = await judge.ask(ExtractClaims(text="one"))
        second = await judge.ask(ExtractClaims(text="two"))
    assert (first.usage.calls, second.usage.calls) == (2, 1)
    assert first.answer == second.answer == Claims(claims=("c",))
    asked, again, remembered = provider.messages
    assert "JSON schema" not in asked
    assert "Your last answer to this was not usable. The answer is not JSON." in again
    assert '"claims"' in again
    assert "not usable" not in remembered
    async with open_transport():
        await judge.ask(ExtractClaims(text="three"))
    assert len(provider.messages) == 5  # another run begins anew


async def test_schema_in_words_is_not_remembered_if_it_fails() -> None:
    provider = IgnoresSchemas(heeds_words=False)
    judge = LLMJudge(provider=provider, attempts=2)
    async with open_transport():
        for text in ("one", "two"):
            with pytest.raises(Exception, match="The answer is not JSON"):
                await judge.ask(ExtractClaims(text=text))
    assert ["JSON schema" in message for message in provider.messages] == [False, True, False, True]
