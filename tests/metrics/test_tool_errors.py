import pytest

from ragstone import TestCase, ToolCall
from ragstone.errors import BadOption, MissingField, NotApplicable
from ragstone.judges import ScriptedJudge
from ragstone.metrics import ToolErrors

CALLS = [
    ToolCall(name="price", error="timed out"),
    ToolCall(name="price", output=30),
    ToolCall(name="stock", output={"isError": True, "content": "no such lamp"}),
    ToolCall(name="answer", output="Error: none"),
]


def test_the_share_of_calls_that_failed() -> None:
    """Of four calls the first and the third failed; a later call of `price` did not."""
    found = ToolErrors().score(CALLS)
    assert found.value == 0.5
    assert found.metadata["failed"] == [
        {"call": 1, "tool": "price", "error": "timed out", "recovered": True},
        {"call": 3, "tool": "stock", "error": "no such lamp", "recovered": False},
    ]
    assert found.reason == (
        "2 of 4 tool calls failed. Failed: price (timed out); stock (no such lamp). "
        "Followed by a call of the same tool that did not fail: 1."
    )
    assert ToolErrors(error_prefixes=["Error:"]).score(CALLS).value == 0.75


def test_calls_without_output_or_error_are_not_applicable() -> None:
    with pytest.raises(NotApplicable, match="None of the 2 tool calls has an output or an error"):
        ToolErrors().score([ToolCall(name="a"), ToolCall(name="b")])
    assert ToolErrors().score([ToolCall(name="a"), ToolCall(name="b", output="")]).value == 0.0


def test_empty_tools_called_has_no_errors_but_none_is_missing() -> None:
    result = ToolErrors().measure(TestCase(input="q", tools_called=[]), ScriptedJudge())
    assert (result.score, result.success, result.usage.calls) == (0.0, True, 0)
    with pytest.raises(MissingField, match="tools_called"):
        ToolErrors().measure(TestCase(input="q"), ScriptedJudge())


def test_error_prefixes_must_be_a_list() -> None:
    with pytest.raises(BadOption, match="write a list of texts"):
        ToolErrors(error_prefixes="Error:")


def test_long_errors_are_cut_and_many_are_counted() -> None:
    found = ToolErrors().score([ToolCall(name="a", error="x" * 500)] * 5)
    assert len(found.metadata["failed"][0]["error"]) == 120
    assert "and 2 more." in found.reason
