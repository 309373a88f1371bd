import pytest
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.errors import ApplicationError, BadOption, NotApplicable
from ragstone.metrics import Latency, Metric, parse


def case(**metadata: object) -> TestCase:
    return TestCase(input="When?", actual_output="At nine.", metadata=metadata)


def test_latency_up_to_the_budget_passes() -> None:
    found = [Latency(budget_ms=2000).measure(case(latency_ms=value)) for value in (1999.5, 2000, 2000.5)]
    assert [result.status for result in found] == ["passed", "passed", "missed"]
    assert found[0].metadata == {"latency_ms": 1999.5, "budget_ms": 2000}
    assert found[2].reason == "2,000.5 ms: over the budget of 2,000.0 ms."


def test_unknown_latency_is_not_applicable() -> None:
    for metadata in ({}, {"latency_ms": None}, {"latency_ms": "12"}, {"latency_ms": float("nan")}):
        with pytest.raises(NotApplicable, match=r"no metadata\.latency_ms"):
            Latency(budget_ms=2000).measure(case(**metadata))


def test_failed_application_is_not_measured_whatever_it_took() -> None:
    with pytest.raises(ApplicationError, match="no answer within 20 s"):
        Latency(budget_ms=90_000).measure(case(latency_ms=20_000, application_error="no answer within 20 s"))


@for_each("budget", [0, -1, float("nan"), float("inf")])
def test_budget_is_above_zero(budget: float) -> None:
    with pytest.raises(BadOption, match="write a number above 0"):
        Latency(budget_ms=budget)


def test_spec_names_the_budget() -> None:
    metric: Metric = parse("latency(budget_ms=2000)")
    assert metric == Latency(budget_ms=2000)
    with pytest.raises(BadOption, match="budget_ms"):
        parse("latency")
