from pathlib import Path
from typing import Any

import pytest
from tests.testing.for_each import for_each

from ragstone.errors import BadOption
from ragstone.judges import CachedJudge, JuryJudge, LLMJudge, LocalJudge, Reply, ScriptedJudge, get_judge
from ragstone.judges.adapted import as_judge
from ragstone.judges.base import Judge, limits_of
from ragstone.judges.limits import JudgeLimits
from ragstone.prompts import Claims, ExtractClaims, Prompt
from ragstone.providers import Anthropic, Ollama, OpenAI
from ragstone.result import Usage

pytestmark = pytest.mark.anyio

USED = Usage(calls=1, input_tokens=1000, output_tokens=1000)
OPENAI = LLMJudge(provider=OpenAI(api_key="sk-x", base_url="http://127.0.0.1:9/v1"))
ANTHROPIC = LLMJudge(provider=Anthropic(api_key="sk-x", base_url="http://127.0.0.1:9"))


class Plain:
    """A judge of the user's own: a name and a method, no base class."""

    name = "plain"

    async def ask(self, prompt: Prompt[Any]) -> Claims:
        del prompt
        return Claims(claims=("c",))


class Equipped(Plain):
    """Has everything that a judge may have."""

    limits = JudgeLimits(concurrency=2)

    def price(self, usage: Usage) -> float | None:
        return 0.5 if usage.output_tokens else None

    def fingerprint(self, prompt: Prompt[Any]) -> str:
        return repr(prompt)

    def wording(self, prompt: type[Prompt[Any]]) -> str:
        return prompt.__name__

    def recall(self, prompt: Prompt[Any]) -> Reply[Any] | None:
        del prompt
        return Reply(Claims(claims=("known",)))


async def test_a_plain_class_with_a_name_and_ask_is_a_judge() -> None:
    judge = get_judge(Plain())  # type: ignore[arg-type]
    reply = await judge.ask(ExtractClaims(text="x"))
    assert (judge.name, reply.answer.claims, reply.cost) == ("plain", ("c",), None)
    assert judge.recall(ExtractClaims(text="x")) is None
    assert (judge.price(USED), judge.wording(ExtractClaims), judge.cacheable) == (None, None, False)
    assert judge.has_prices


def test_optional_members_of_a_plain_class_are_used() -> None:
    judge = as_judge(Equipped())
    assert limits_of(judge) is Equipped.limits
    assert judge.price(USED) == 0.5
    assert not judge.has_prices  # no price for sent tokens
    assert judge.cacheable
    assert judge.fingerprint(ExtractClaims(text="x")) == repr(ExtractClaims(text="x"))
    assert judge.wording(ExtractClaims) == "ExtractClaims"
    assert judge.recall(ExtractClaims(text="x")) == Reply(Claims(claims=("known",)))


async def test_a_subclass_needs_a_name_and_ask_alone() -> None:
    class Mine(Judge):
        async def ask(self, prompt: Prompt[Any]) -> Reply[Any]:
            del prompt
            return Reply(Claims(claims=("c",)), cost=0.0)

    judge = Mine()
    assert as_judge(judge) is judge
    assert judge.name == "Mine"
    assert (judge.limits, judge.works_offline, judge.fingerprint(ExtractClaims(text="x"))) == (
        None,
        False,
        None,
    )


@for_each("judge", [OPENAI, ANTHROPIC])
def test_a_judge_in_batches_costs_half_and_is_the_same_to_a_cache(judge: LLMJudge) -> None:
    batched = judge.in_batches()
    assert batched.price(USED) == pytest.approx((judge.price(USED) or 0.0) / 2)
    assert batched.fingerprint(ExtractClaims(text="x")) == judge.fingerprint(ExtractClaims(text="x"))
    assert batched.name == judge.name
    assert batched.limits is judge.limits


def test_in_batches_keeps_cache_and_jury_wrappers(tmp_path: Path) -> None:
    cached = CachedJudge(OPENAI, tmp_path / "answers.sqlite3").in_batches()
    assert cached.path == tmp_path / "answers.sqlite3"
    assert cached.price(USED) == pytest.approx((OPENAI.price(USED) or 0.0) / 2)
    jury = JuryJudge(jurors=[OPENAI, ANTHROPIC]).in_batches()
    assert all(isinstance(judge, LLMJudge) and judge.batch for judge in jury.judges)


@for_each(
    "judge",
    [
        LocalJudge(),
        ScriptedJudge(),
        LLMJudge(provider=Ollama(base_url="http://127.0.0.1:9")),
        JuryJudge(jurors=[OPENAI, LocalJudge()]),
    ],
)
def test_in_batches_is_refused_for_other_judges(judge: Judge) -> None:
    with pytest.raises(BadOption, match="cannot be asked in batches: only OpenAI and Anthropic support them"):
        judge.in_batches()
