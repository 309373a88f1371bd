import pytest
from tests.testing.for_each import for_each

from ragstone import TestCase, ToolCall
from ragstone.errors import BadOption, MissingField
from ragstone.judges import ScriptedJudge
from ragstone.metrics import TrajectoryMatch

MODES = ("strict", "unordered", "subset", "superset")


def calls(names: str) -> list[ToolCall]:
    return [ToolCall(name=name) for name in names]


def scores(called: str, expected: str) -> tuple[float | None, ...]:
    return tuple(TrajectoryMatch(mode=mode).score(calls(called), calls(expected)).value for mode in MODES)


@for_each(
    "called, expected, by_mode",
    [  # strict, unordered, subset, superset: by hand
        ("ab", "ab", (1, 1, 1, 1)),
        ("ba", "ab", (0, 1, 1, 1)),
        ("a", "ab", (0, 0, 1, 0)),
        ("abc", "ab", (0, 0, 0, 1)),
        ("ac", "ab", (0, 0, 0, 0)),
        ("", "ab", (0, 0, 1, 0)),
        ("aa", "a", (0, 0, 0, 1)),
        ("a", "aa", (0, 0, 1, 0)),
        ("", "", (1, 1, 1, 1)),
        ("a", "", (0, 0, 0, 0)),
    ],
)
def test_the_four_modes(called: str, expected: str, by_mode: tuple[int, ...]) -> None:
    assert scores(called, expected) == by_mode


def test_arguments_count_unless_they_are_ignored() -> None:
    expected = [ToolCall(name="search", input_parameters={"q": "tower"})]
    more = [ToolCall(name="search", input_parameters={"q": "tower", "limit": 3})]
    values = {
        arguments: TrajectoryMatch(arguments=arguments).score(more, expected).value
        for arguments in ("exact", "subset", "superset", "ignore")
    }
    assert values == {"exact": 0.0, "subset": 0.0, "superset": 1.0, "ignore": 1.0}


def test_the_reason_names_what_differs() -> None:
    reason = TrajectoryMatch().score(calls("ac"), calls("ab")).reason
    assert reason == "The tool calls do not match (strict): missing or different: b; not expected: c."
    reason = TrajectoryMatch().score(calls("ba"), calls("ab")).reason
    assert reason == "The tool calls do not match (strict): call 1 is b, where a is expected."
    found = TrajectoryMatch(mode="superset").score(calls("abc"), calls("ab"))
    assert found.reason == "The 3 tool calls match the expected ones (superset)."
    assert (found.metadata["missing"], found.metadata["surplus"]) == ([], ["c"])


def test_the_order_of_calls_with_arguments() -> None:
    """The same names in the same order, but the arguments have changed places."""
    first, second = (ToolCall(name="read", input_parameters={"page": page}) for page in (1, 2))
    assert TrajectoryMatch(mode="unordered").score([second, first], [first, second]).value == 1
    found = TrajectoryMatch().score([second, first], [first, second])
    assert found.value == 0
    assert found.reason.endswith("(strict): call 1 is read, where read is expected with other arguments.")


def test_trajectory_match_takes_no_judge_call() -> None:
    case = TestCase(input="q", tools_called=[], expected_tools=[])
    result = TrajectoryMatch().measure(case, ScriptedJudge())
    assert (result.score, result.success, result.usage.calls) == (1.0, True, 0)
    assert result.reason == "No tool call is expected; 0 were made."
    with pytest.raises(MissingField, match="tools_called"):
        TrajectoryMatch().measure(TestCase(input="q", expected_tools=[]), ScriptedJudge())
    with pytest.raises(MissingField, match="expected_tools"):
        TrajectoryMatch().measure(TestCase(input="q", tools_called=[]), ScriptedJudge())


def test_a_mode_that_is_not_known_is_refused() -> None:
    with pytest.raises(BadOption):
        TrajectoryMatch(mode="sorted")  # type: ignore[arg-type]
    with pytest.raises(BadOption):
        TrajectoryMatch(arguments="some")  # type: ignore[arg-type]
