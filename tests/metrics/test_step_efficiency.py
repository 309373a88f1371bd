import pytest

from ragstone import TestCase, ToolCall
from ragstone.errors import MissingField
from ragstone.judges import ScriptedJudge
from ragstone.metrics import StepEfficiency

SEARCH = ToolCall(name="search", input_parameters={"q": "a"}, output="found")
OTHER = ToolCall(name="search", input_parameters={"q": "b"}, output="found")
FAILED = ToolCall(name="price", error="timed out")
PRICE = ToolCall(name="price", output=30)


def test_without_expected_calls_failed_and_repeated_ones_are_wasted() -> None:
    """Six calls: the second failed, the fifth repeats the first; the retry of the second is useful. 4 of 6."""
    found = StepEfficiency().score([SEARCH, FAILED, PRICE, OTHER, SEARCH, ToolCall(name="answer")])
    assert found.value == pytest.approx(4 / 6)
    assert found.metadata["wasted"] == [
        {"call": 2, "tool": "price", "why": "failed"},
        {"call": 5, "tool": "search", "why": "repeated"},
    ]
    assert found.reason == "4 of 6 tool calls were useful. Failed: price. Repeated: search."


def test_with_expected_calls_the_others_are_wasted() -> None:
    """One search was needed: of two searches and a price after a failed one, two are useful. 2 of 4."""
    found = StepEfficiency().score([SEARCH, OTHER, FAILED, PRICE], [SEARCH, PRICE])
    assert found.value == 0.5
    assert found.reason == "2 of 4 tool calls were useful. Not expected: search. Failed: price."


def test_arguments_are_compared_only_with_exact_arguments() -> None:
    assert StepEfficiency().score([OTHER], [SEARCH]).value == 1.0
    assert StepEfficiency(arguments="exact").score([OTHER], [SEARCH]).value == 0.0


def test_a_call_that_is_expected_twice_may_be_made_twice() -> None:
    assert StepEfficiency().score([SEARCH, SEARCH], [SEARCH, SEARCH]).value == 1.0


def test_every_call_is_wasted_for_empty_expected_tools() -> None:
    assert StepEfficiency().score([SEARCH, PRICE], []).value == 0.0
    assert StepEfficiency().score([], []).value == 1.0


def test_a_missing_call_wastes_nothing() -> None:
    assert StepEfficiency().score([SEARCH], [SEARCH, PRICE]).value == 1.0
    assert StepEfficiency().score([], [SEARCH]).value == 1.0


def test_step_efficiency_takes_no_judge_call() -> None:
    case = TestCase(input="q", tools_called=[SEARCH, SEARCH])
    result = StepEfficiency().measure(case, ScriptedJudge())
    assert (result.score, result.usage.calls) == (0.5, 0)
    with pytest.raises(MissingField, match="tools_called"):
        StepEfficiency().measure(TestCase(input="q"), ScriptedJudge())
