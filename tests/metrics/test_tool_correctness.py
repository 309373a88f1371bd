import pytest
from tests.testing.for_each import for_each

from ragstone import TestCase, ToolCall, load_dataset
from ragstone.errors import BadOption, MissingField
from ragstone.judges import ScriptedJudge
from ragstone.metrics import ToolCorrectness


def calls(*made: str | tuple[str, dict]) -> list[ToolCall]:
    pairs = [(item, None) if isinstance(item, str) else item for item in made]
    return [ToolCall(name=name, input_parameters=parameters) for name, parameters in pairs]


def score(called: list[ToolCall], expected: list[ToolCall], **options: object) -> float:
    return ToolCorrectness(**options).score(called, expected).value  # type: ignore[arg-type]


def test_names_in_any_order() -> None:
    assert score(calls("a", "c"), calls("a", "b")) == 0.5
    assert score(calls("b", "a", "extra"), calls("a", "b")) == 1.0


def test_a_tool_expected_twice_and_called_twice_is_right() -> None:
    """A peer counts equal calls once and gives 0.5."""
    twice = calls("search", "search")
    assert score(twice, twice) == 1.0
    assert score(calls("search"), twice) == 0.5
    assert score(twice, twice, compat="deepeval") == 0.5


def test_the_pairing_is_the_best_not_the_first() -> None:
    expected = calls(("t", {"a": 1}), ("t", {"a": 1, "b": 2}))
    called = calls(("t", {"a": 1, "b": 2}), ("t", {"a": 1, "c": 9}))
    assert score(called, expected, check_parameters=True) == pytest.approx(0.75)
    assert score(called, expected, check_parameters=True, compat="deepeval") == pytest.approx(5 / 12)


def test_order_by_weighted_common_subsequence() -> None:
    assert score(calls("c", "a", "b"), calls("a", "b", "c"), should_consider_ordering=True) == pytest.approx(
        2 / 3
    )


def test_exact_match_place_by_place() -> None:
    exact = {"should_exact_match": True, "should_consider_ordering": True}
    assert score(calls("a", "b"), calls("a", "b"), **exact) == 1.0
    assert score(calls("b", "a"), calls("a", "b"), **exact) == 0.0
    assert score(calls("a", "b", "c"), calls("a", "b"), **exact) == 0.0


def test_parameters_by_the_share_of_equal_keys() -> None:
    expected, called = calls(("s", {"q": "x", "limit": 5})), calls(("s", {"q": "x", "limit": 10}))
    assert score(called, expected, check_parameters=True) == 0.5
    nested = calls(("s", {"filter": {"year": 2020, "lang": "en"}}))
    other = calls(("s", {"filter": {"year": 2021, "lang": "en"}}))
    assert score(other, nested, check_parameters=True) == 0.5
    assert score(calls("s"), expected, check_parameters=True) == 0.0  # a peer raises AttributeError on None


def test_outputs_are_compared_only_with_check_output() -> None:
    expected, called = [ToolCall(name="t", output=1)], [ToolCall(name="t", output=2)]
    assert score(called, expected) == 1.0
    assert score(called, expected, check_output=True) == 0.0


def test_empty_tools_called_scores_zero_but_none_is_missing() -> None:
    case = TestCase(input="q", tools_called=[], expected_tools=calls("a"))
    result = ToolCorrectness().measure(case, ScriptedJudge())
    assert (result.score, result.usage.calls) == (0.0, 0)
    assert "Missing or different: a" in result.reason
    with pytest.raises(MissingField, match="tools_called"):
        ToolCorrectness().measure(TestCase(input="q", expected_tools=calls("a")), ScriptedJudge())


def test_tool_correctness_refuses_unknown_compat() -> None:
    with pytest.raises(BadOption):
        ToolCorrectness(compat="ragas")  # type: ignore[arg-type]


@for_each("called, score", [([], 1.0), ([{"name": "search"}], 0.0)])
def test_an_explicitly_empty_list_says_that_no_call_is_expected(called: list, score: float) -> None:
    row = {"input": "q", "tools_called": called, "expected_tools": []}
    case = load_dataset([row]).cases[0]
    assert ToolCorrectness().measure(case).score == score
    with pytest.raises(MissingField, match="expected_tools"):
        ToolCorrectness().measure(TestCase(input="q", tools_called=called))
