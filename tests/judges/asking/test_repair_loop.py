from collections.abc import Sequence

import pytest

from ragstone.errors import ProviderError, UnreadableAnswer
from ragstone.judges.asking.repair_loop import Attempt, ask_with_repair
from ragstone.prompts import Claims, ExtractClaims, JudgeClaims
from ragstone.providers import Completion
from ragstone.result import Usage

pytestmark = pytest.mark.anyio

FOUR = JudgeClaims(evidence_texts=("e",), claims=("a", "b", "c", "d"))


class Model:
    """Answers in turn and keeps what it was asked."""

    def __init__(self, answers: Sequence[str | Exception]) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    async def __call__(self, attempt: Attempt) -> Completion:
        self.asked.append(attempt.message)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return Completion(text=answer, usage=Usage(calls=1, input_tokens=10), model="m")


def verdicts(*words: str) -> str:
    return '{"verdicts": [' + ",".join(f'{{"reason": null, "verdict": "{word}"}}' for word in words) + "]}"


async def test_a_good_answer_is_asked_for_once() -> None:
    model = Model([verdicts("yes", "no", "idk", "yes")])
    reply, completion = await ask_with_repair(FOUR, "user", model, attempts=3)
    assert [item.verdict for item in reply.answer.verdicts] == ["yes", "no", "idk", "yes"]
    assert model.asked == ["user"]
    assert reply.request == "user"
    assert reply.response == completion.text


async def test_three_verdicts_for_four_claims_are_asked_again_naming_the_missing_one() -> None:
    model = Model([verdicts("yes", "yes", "yes"), verdicts("yes", "yes", "yes", "no")])
    reply, _ = await ask_with_repair(FOUR, "user", model, attempts=3)
    assert len(reply.answer.verdicts) == 4
    assert model.asked[1].startswith("user\n\n")
    assert "3 verdicts for 4 claims; missing: 4." in model.asked[1]
    assert reply.usage == Usage(calls=2, input_tokens=20)


async def test_repair_message_contains_only_the_last_error() -> None:
    model = Model(["x", "y", verdicts("yes", "yes", "yes", "no")])
    await ask_with_repair(FOUR, "user", model, attempts=3)
    assert model.asked[1] == model.asked[2]


async def test_exhausted_attempts_raise_unreadable_answer_with_usage() -> None:
    model = Model(["no JSON"] * 3)
    with pytest.raises(UnreadableAnswer, match=r"JudgeClaims was asked 3 times .* not JSON") as caught:
        await ask_with_repair(FOUR, "user", model, attempts=3)
    assert caught.value.spent == Usage(calls=3, input_tokens=30)


async def test_provider_error_during_repair_carries_the_usage() -> None:
    model = Model(["no JSON", ProviderError("down", status=500)])
    with pytest.raises(ProviderError) as caught:
        await ask_with_repair(ExtractClaims(text="t"), "user", model, attempts=3)
    assert caught.value.spent == Usage(calls=1, input_tokens=10)


class Doubtful(ExtractClaims):
    """Doubts an answer with more than one claim."""

    def doubt(self, answer: Claims) -> str | None:
        return "More than one claim." if len(answer.claims) > 1 else None


ONE, TWO = '{"claims": ["a"]}', '{"claims": ["a", "b"]}'


async def test_a_doubted_answer_is_asked_for_once_more_with_the_doubt() -> None:
    model = Model([TWO, ONE])
    reply, completion = await ask_with_repair(Doubtful(text="t"), "user", model, attempts=3)
    assert reply.answer.claims == ("a",)
    assert completion.text == ONE
    assert "More than one claim." in model.asked[1]
    assert reply.usage == Usage(calls=2, input_tokens=20)


@pytest.mark.parametrize("second", [TWO, "no JSON", ProviderError("down", status=500)])
async def test_doubted_answer_counts_if_the_second_one_is_no_better(second: str | Exception) -> None:
    model = Model([TWO, second])
    reply, _ = await ask_with_repair(Doubtful(text="t"), "user", model, attempts=3)
    assert reply.answer.claims == ("a", "b")
    assert len(model.asked) == 2
    assert reply.usage.calls == 2 - isinstance(second, ProviderError)


async def test_without_a_further_attempt_a_doubted_answer_counts() -> None:
    model = Model([TWO])
    reply, _ = await ask_with_repair(Doubtful(text="t"), "user", model, attempts=1)
    assert reply.answer.claims == ("a", "b")
