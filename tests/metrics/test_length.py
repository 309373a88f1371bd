from typing import Any

import pytest
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.errors import BadOption
from ragstone.metrics import Length


def test_words_and_characters_have_budgets() -> None:
    case = TestCase(input="q", actual_output="  At nine, on\nweekdays. ")
    assert Length(budget_words=4).measure(case).status == "passed"
    assert Length(budget_words=3).measure(case).status == "missed"
    assert Length(budget_characters=21).measure(case).metadata == {"characters": 21, "budget_characters": 21}
    assert Length(budget_characters=20).measure(case).status == "missed"


@for_each("options", [{}, {"budget_words": 1, "budget_characters": 1}, {"budget_words": 0}])
def test_exactly_one_budget_is_required(options: dict[str, Any]) -> None:
    with pytest.raises(BadOption, match="budget"):
        Length(**options)
