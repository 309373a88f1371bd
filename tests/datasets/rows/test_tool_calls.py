from typing import Any

from tests.testing.for_each import for_each

from ragstone.datasets.rows.cases import tool_calls


@for_each(
    "call, expected",
    [
        ("search", {"name": "search"}),
        ({"name": "s", "args": {"k": 1}, "id": "x"}, {"name": "s", "input_parameters": {"k": 1}}),
        (
            {"type": "function", "function": {"name": "s", "arguments": '{"k": 1}'}},
            {"name": "s", "input_parameters": {"k": 1}},
        ),
        (
            {"tool_name": "s", "input_parameters": {}, "output": [1], "reasoning": "r", "description": "d"},
            {"name": "s", "input_parameters": {}, "output": [1], "reasoning": "r", "description": "d"},
        ),
        ({"name": "s", "arguments": "no json"}, {"name": "s", "input_parameters": "no json"}),
        (5, 5),
    ],
)
def test_calls_of_several_tools_have_the_same_fields(call: Any, expected: Any) -> None:
    assert tool_calls([call]) == [expected]
