"""The fields of a test case that a judge is shown, for metrics whose author chooses them."""

from collections.abc import Sequence

from ragstone.case import TestCase, ToolCall
from ragstone.errors import BadOption, UnknownName
from ragstone.metrics.shared.tool_calls import tool_call_json

SHOWABLE_FIELDS = (
    "retrieval_context",
    "context",
    "tools_called",
    "expected_tools",
    "input",
    "expected_output",
    "actual_output",
)
"""Fields that can be shown, in display order: the fields that test cases share most come first."""


def check_fields(params: Sequence[str], owner: str) -> tuple[str, ...]:
    """Return the field names in lower case.

    Raises:
        BadOption: `params` is empty, or names a field that cannot be shown.
    """
    names = tuple(str(param).lower() for param in params)
    for name in names:
        if name not in SHOWABLE_FIELDS:
            raise BadOption(str(UnknownName("field for evaluation_params", name, SHOWABLE_FIELDS)))
    if not names:
        raise BadOption(
            f"{owner} has no evaluation_params: write evaluation_params=['input', 'actual_output']"
        )
    return names


def case_fields(case: TestCase, params: Sequence[str]) -> tuple[tuple[str, str | tuple[str, ...]], ...]:
    """Return label and text of each of the fields."""
    return tuple((field, _text(case.get(field))) for field in SHOWABLE_FIELDS if field in params)


def _text(value: str | tuple[str | ToolCall, ...]) -> str | tuple[str, ...]:
    if isinstance(value, str):
        return value
    return tuple(item if isinstance(item, str) else tool_call_json(item) for item in value)
