import pytest
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.errors import BadOption, MissingField
from ragstone.judges import ScriptedJudge
from ragstone.metrics import ToolPermission


@for_each(
    "options, score",
    [
        ({}, 1.0),
        ({"allowed": ["read", "list"]}, 2 / 3),
        ({"denied": ["delete"]}, 2 / 3),
        ({"allowed": ["delete"], "denied": ["delete"]}, 0.0),
        ({"allowed": []}, 0.0),
    ],
)
def test_denied_wins_over_allowed(options: dict, score: float) -> None:
    assert ToolPermission(**options).score(["read", "list", "delete"]).value == pytest.approx(score)


def test_empty_tools_called_is_permitted_but_none_is_missing() -> None:
    assert (
        ToolPermission(allowed=[]).measure(TestCase(input="q", tools_called=[]), ScriptedJudge()).score == 1.0
    )
    with pytest.raises(MissingField):
        ToolPermission().measure(TestCase(input="q"), ScriptedJudge())


def test_denied_must_be_a_list() -> None:
    with pytest.raises(BadOption):
        ToolPermission(denied="delete")
