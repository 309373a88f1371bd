import pytest

from ragstone import TestCase
from ragstone.errors import BadOption, MissingField
from ragstone.judges import ScriptedJudge
from ragstone.metrics import ToolPermission


@pytest.mark.parametrize(
    ("options", "score"),
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


def test_no_call_is_fine_and_an_unknown_one_is_missing() -> None:
    assert (
        ToolPermission(allowed=[]).measure(TestCase(input="q", tools_called=[]), ScriptedJudge()).score == 1.0
    )
    with pytest.raises(MissingField):
        ToolPermission().measure(TestCase(input="q"), ScriptedJudge())


def test_a_text_in_the_place_of_a_list_is_refused() -> None:
    with pytest.raises(BadOption):
        ToolPermission(denied="delete")
