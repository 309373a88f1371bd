"""The tool calls of a test case. That none was made is a finding; that none was recorded is not."""

import json

from ragstone.case import TestCase, ToolCall
from ragstone.errors import MissingField


def recorded_tool_calls(owner: str, case: TestCase) -> tuple[ToolCall, ...]:
    """Return the calls that were made, in order; an empty list says that none was.

    Raises:
        MissingField: it is not known which calls were made.
    """
    if case.tools_called is None:
        raise MissingField(owner, f"test case {case.name or case.id!r}", ("tools_called",))
    return case.tools_called


def tool_calls_json(calls: tuple[ToolCall, ...]) -> tuple[str, ...]:
    """Return each call as a judge reads it."""
    return tuple(map(tool_call_json, calls))


def tool_call_json(call: ToolCall) -> str:
    """Return a call as JSON; what JSON does not know is shown as Python shows it."""
    return json.dumps(call.model_dump(exclude_none=True), ensure_ascii=False, default=repr)
