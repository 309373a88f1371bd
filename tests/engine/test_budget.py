import asyncio

import pytest
from tests.servers.fixtures import serving
from tests.servers.openai import OpenAIServer
from tests.servers.script import Script, every

from ragstone import Limits, evaluate
from ragstone.engine.budget import NOTHING_RESERVED, Budget
from ragstone.errors import BadOption, BudgetExceeded
from ragstone.judges import LLMJudge
from ragstone.metrics import Faithfulness
from ragstone.providers import OpenAI

pytestmark = pytest.mark.anyio


async def test_without_a_bound_everything_is_allowed() -> None:
    budget = Budget()
    assert await budget.reserve(lambda: 1e9) == NOTHING_RESERVED
    budget.settle(NOTHING_RESERVED, None)
    assert await budget.reserve(lambda: 1e9) == NOTHING_RESERVED


async def test_reservation_over_the_limit_waits_for_calls_in_flight() -> None:
    budget = Budget(1.0)
    first, second = await budget.reserve(lambda: 0.4), await budget.reserve(lambda: 0.4)
    assert first.amount == second.amount == 0.4
    third = asyncio.create_task(budget.reserve(lambda: 0.4))
    await asyncio.sleep(0)
    assert not third.done()
    budget.settle(first, 0.1)
    assert (await third).amount == pytest.approx(0.11)  # a quarter of the estimate, and a margin


async def test_estimates_are_corrected_by_what_calls_cost_and_keep_a_margin() -> None:
    budget = Budget(100.0)
    for estimate, cost in ((1.0, 2.0), (3.0, 3.0)):  # the worse of two estimates counts
        budget.settle(await budget.reserve(lambda estimate=estimate: estimate), cost)
    assert (await budget.reserve(lambda: 1.0)).amount == pytest.approx(2.2)
    assert (await budget.reserve(lambda: 10.0)).amount == pytest.approx(22.0)  # dearer prompts cost more


async def test_without_estimates_the_dearest_call_is_expected() -> None:
    budget = Budget(100.0)
    for cost in (1.0, 3.0):
        budget.settle(await budget.reserve(lambda: 0.0), cost)
    assert (await budget.reserve(lambda: 0.0)).amount == pytest.approx(3.3)


async def test_reservation_fails_when_the_budget_is_spent() -> None:
    budget = Budget(1.0, spent=0.9)
    first = await budget.reserve(lambda: 0.05)
    waiting = asyncio.create_task(budget.reserve(lambda: 0.2))
    await asyncio.sleep(0)
    budget.settle(first, 0.2)
    with pytest.raises(
        BudgetExceeded, match=r"\$1\.1000 of max_cost=\$1 are spent, .* likely to cost \$0\.8800: resume"
    ):
        await waiting


async def test_a_judge_without_prices_cannot_be_held_to_a_budget() -> None:
    budget = Budget(1.0)
    budget.settle(await budget.reserve(lambda: 0.0), None)
    with pytest.raises(BudgetExceeded, match="does not report the cost of its answers"):
        await budget.reserve(lambda: 0.0)


def test_max_cost_is_refused_for_a_model_without_known_price() -> None:
    judge = LLMJudge(provider=OpenAI(model="nobody-knows", api_key="k", base_url="http://127.0.0.1:1"))
    with pytest.raises(
        BadOption, match="max_cost=1 cannot be enforced: no price is known for openai:nobody-knows"
    ):
        evaluate(CASES, [Faithfulness()], judge=judge, limits=Limits(max_cost=1))


CASES = [
    {
        "input": f"Question {number}?",
        "actual_output": f"Answer {number}.",
        "retrieval_context": [f"Passage {number}."],
    }
    for number in range(60)
]


def test_a_run_stops_where_its_budget_is_spent_and_keeps_what_it_has() -> None:
    script = Script(
        claims=lambda ask: [ask.user[-12:]], truths=lambda ask: [ask.user[-12:]], verdicts=every("yes")
    )
    with serving(OpenAIServer(script, latency=0.005)) as server:
        judge = LLMJudge(
            provider=OpenAI(api_key="sk-loopback", base_url=server.base_url),
            prices={"gpt-4o-mini": (100.0, 100.0, 100.0)},
        )
        whole = evaluate(CASES, [Faithfulness()], judge=judge)
        asked = len(server.requests)
        assert whole.cost is not None
        half = evaluate(CASES, [Faithfulness()], judge=judge, limits=Limits(max_cost=whole.cost / 2))
        spent = sum(result.evaluation_cost or 0 for results in half.results for result in results)
        assert not half.complete
        assert half.exit_code == 3
        assert 0 < len(half.results) < len(whole.results)
        assert all(result.error is None for results in half.results for result in results)
        assert spent <= whole.cost / 2
        assert 0.4 * asked <= len(server.requests) - asked <= 0.55 * asked
