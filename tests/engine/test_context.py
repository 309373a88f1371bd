import pytest

from ragstone.engine.context import MetricContext
from ragstone.engine.scheduler import PromptScheduler
from ragstone.errors import UnreadableAnswer
from ragstone.judges import ScriptedJudge
from ragstone.prompts import ExtractClaims, ExtractStatements

pytestmark = pytest.mark.anyio


async def test_shared_answer_is_charged_to_the_first_context_only() -> None:
    scheduler = PromptScheduler(ScriptedJudge().respond(ExtractClaims, {"claims": ["c"]}))
    first, second = MetricContext(scheduler), MetricContext(scheduler)
    assert (await first.ask(ExtractClaims(text="t"))).claims == ("c",)
    assert (await second.ask(ExtractClaims(text="t"))).claims == ("c",)
    assert (first.usage.calls, second.usage.calls) == (1, 0)
    assert first.cost is None
    assert second.cost == 0


async def test_ask_all_and_ask_both_keep_the_order() -> None:
    judge = ScriptedJudge().respond(r"\| a", {"claims": ["A"]}).respond(r"\| b", {"claims": ["B"]})
    judge.respond(ExtractStatements, {"statements": ["S"]})
    ctx = MetricContext(PromptScheduler(judge))
    answers = await ctx.ask_all([ExtractClaims(text="a"), ExtractClaims(text="b")])
    assert [answer.claims for answer in answers] == [("A",), ("B",)]
    claims, statements = await ctx.ask_both(ExtractClaims(text="a"), ExtractStatements(text="x"))
    assert (claims.claims, statements.statements) == (("A",), ("S",))


async def test_unreadable_answers_count_towards_usage() -> None:
    scheduler = PromptScheduler(ScriptedJudge().respond(ExtractClaims, {"wrong": 1}))
    first = MetricContext(scheduler)
    with pytest.raises(UnreadableAnswer):
        await first.ask(ExtractClaims(text="t"))
    assert first.usage.calls == 3


async def test_embedding_gives_unit_rows() -> None:
    vectors = await MetricContext(PromptScheduler(ScriptedJudge())).embed(
        ["a dog", "a puppy", "a tax return"], "local"
    )
    assert vectors.shape[0] == 3
    assert float(vectors[0] @ vectors[0]) == pytest.approx(1, abs=1e-5)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2]
