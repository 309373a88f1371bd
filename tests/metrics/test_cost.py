import pytest

from ragstone import TestCase
from ragstone.errors import NotApplicable
from ragstone.metrics import Cost


def test_cost_up_to_the_budget_passes() -> None:
    priced = [TestCase(input="q", metadata={"cost": cost}) for cost in (0, 0.01, 0.0101)]
    assert [Cost(budget_usd=0.01).measure(case).status for case in priced] == ["passed", "passed", "missed"]
    with pytest.raises(NotApplicable, match=r"no metadata\.cost"):
        Cost(budget_usd=0.01).measure(TestCase(input="q"))
