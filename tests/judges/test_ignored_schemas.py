"""A server that ignores schemas: two unusable answers, and no usable one, put the schema in words for the run."""

import json

import pytest
from tests.testing.for_each import for_each

from ragstone.judges import LLMJudge
from ragstone.judges.asking.repair_loop import obeys_schema
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
        self.obeys = 0

    async def complete(self, request: Request) -> Completion:
        self.messages.append(request.user)
        self.obeys -= 1
        heeded = self.obeys >= 0 or (self.heeds_words and "JSON schema" in request.user)
        text = json.dumps({"claims": ["c"]}) if heeded else "It claims c."
        return Completion(text, Usage(calls=1), self.model)


def in_words(provider: IgnoresSchemas) -> list[bool]:
    return ["JSON schema" in message for message in provider.messages]


async def test_schema_that_is_ignored_twice_is_put_in_the_message_for_the_run() -> None:
    provider = IgnoresSchemas()
    judge = LLMJudge(provider=provider)
    async with open_transport():
        replies = [await judge.ask(ExtractClaims(text=text)) for text in ("one", "two", "three")]
    assert [reply.usage.calls for reply in replies] == [2, 2, 1]
    assert [reply.answer for reply in replies] == [Claims(claims=("c",))] * 3
    assert in_words(provider) == [False, True, False, True, True]
    assert "Your last answer to this was not usable. The answer is not JSON." in provider.messages[1]
    assert "not usable" not in provider.messages[4]
    async with open_transport():
        await judge.ask(ExtractClaims(text="four"))
    assert len(provider.messages) == 7  # another run begins anew


async def test_server_that_obeyed_once_keeps_its_schema() -> None:
    provider = IgnoresSchemas()
    provider.obeys = 1
    judge = LLMJudge(provider=provider)
    async with open_transport():
        for number in range(4):
            await judge.ask(ExtractClaims(text=f"text {number}"))
    assert in_words(provider) == [False, False, True, False, True, False, True]


@for_each(
    "text, shown",
    [
        ('{"claims": ["c"]}', True),
        ('{"claims": ["c", "d', None),
        ("It claims c.", False),
        ('{"answer": "yes"}', False),
        ('{"claims": ["c"], "more": 1}', None),
        ('Sure: {"claims": ["c"]}', None),
        ("", None),
        ("<think>The text", None),
    ],
)
def test_what_an_answer_shows_of_the_schema(text: str, shown: bool | None) -> None:  # noqa: FBT001
    assert obeys_schema(text, ExtractClaims(text="t").schema()) is shown


def test_beginning_of_an_answer_shows_that_the_schema_is_obeyed() -> None:
    assert obeys_schema('{"claims": ["c", "d', ExtractClaims(text="t").schema(), is_cut=True) is True
    assert obeys_schema("Okay, I should", ExtractClaims(text="t").schema(), is_cut=True) is False
