import pytest
from tests.servers.fixtures import serving
from tests.servers.openai import OpenAIServer
from tests.servers.script import Script, every

from ragstone import evaluate
from ragstone.errors import BudgetSpent
from ragstone.judges import LLMJudge
from ragstone.judges._budget import Budget
from ragstone.metrics import Faithfulness
from ragstone.providers import OpenAI


def test_without_a_bound_everything_is_allowed() -> None:
    budget = Budget()
    assert budget.reserve(lambda: 1e9) == 0
    budget.settle(0, None)
    assert budget.reserve(lambda: 1e9) == 0


def test_money_in_flight_counts_as_spent() -> None:
    budget = Budget(1.0)
    assert [budget.reserve(lambda: 0.4), budget.reserve(lambda: 0.4)] == [0.4, 0.4]
    with pytest.raises(
        BudgetSpent, match=r"\$0\.0000 of max_cost=\$1 are spent, .* likely to cost \$0\.4000: resume"
    ):
        budget.reserve(lambda: 0.4)
    budget.settle(0.4, 0.1)
    assert budget.reserve(lambda: 0.4) == pytest.approx(0.1)  # by now the mean is known


def test_what_is_spent_is_spent() -> None:
    budget = Budget(1.0, spent=0.9)
    budget.reserve(lambda: 0.05)
    budget.settle(0.05, 0.2)
    with pytest.raises(BudgetSpent):
        budget.reserve(lambda: 0.0)


def test_a_judge_without_prices_cannot_be_held_to_a_budget() -> None:
    budget = Budget(1.0)
    budget.settle(budget.reserve(lambda: 0.0), None)
    with pytest.raises(BudgetSpent, match="does not tell what its answers cost"):
        budget.reserve(lambda: 0.0)


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
        half = evaluate(CASES, [Faithfulness()], judge=judge, max_cost=whole.cost / 2)
        spent = sum(result.evaluation_cost or 0 for results in half.results for result in results)
        assert not half.complete
        assert half.exit_code == 3
        assert 0 < len(half.results) < len(whole.results)
        assert all(result.error is None for results in half.results for result in results)
        assert spent <= whole.cost / 2
        assert 0.35 * asked <= len(server.requests) - asked <= 0.55 * asked
