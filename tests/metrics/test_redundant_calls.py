from typing import Any

import pytest

from ragstone import TestCase, ToolCall
from ragstone.errors import BadOption, MissingField
from ragstone.judges import ScriptedJudge
from ragstone.metrics import RedundantCalls


def call(name: str = "search", output: Any = "found", **arguments: Any) -> ToolCall:
    return ToolCall(name=name, input_parameters=arguments, output=output)


def test_a_repeated_call_counts_each_time_it_is_repeated() -> None:
    """Five calls, of which the third and the fifth are the first again: 2 of 5."""
    made = [call(q="a"), call(q="b"), call(q="a "), call("read", q="a"), call(q="a", limit=None)]
    found = RedundantCalls().score(made)
    assert found.value == pytest.approx(0.4)
    assert found.metadata["redundant"] == [{"call": 3, "tool": "search"}, {"call": 5, "tool": "search"}]
    assert found.reason == "2 of 5 tool calls repeat an earlier one. Repeated: search, search."


def test_retry_is_redundant_only_with_count_retries() -> None:
    made = [call(output={"error": "timed out"}, q="a"), call(q="a")]
    assert RedundantCalls().score(made).value == 0.0
    assert RedundantCalls(count_retries=True).score(made).value == 0.5


def test_ignored_tools_are_not_redundant() -> None:
    made = [call("now"), call("search", q="a"), call("now"), call("search", q="a")]
    found = RedundantCalls(ignore=["now"]).score(made)
    assert (found.value, found.metadata["redundant"]) == (0.5, [{"call": 4, "tool": "search"}])
    assert RedundantCalls(ignore=["now", "search"]).score(made).value == 0.0


def test_empty_tools_called_is_not_redundant_but_none_is_missing() -> None:
    result = RedundantCalls().measure(TestCase(input="q", tools_called=[]), ScriptedJudge())
    assert (result.score, result.success, result.higher_is_better, result.usage.calls) == (
        0.0,
        True,
        False,
        0,
    )
    with pytest.raises(MissingField, match="tools_called"):
        RedundantCalls().measure(TestCase(input="q"), ScriptedJudge())


def test_ignore_must_be_a_list() -> None:
    with pytest.raises(BadOption, match="write a list of texts"):
        RedundantCalls(ignore="now")
