"""Tool calls as a trajectory: which calls are the same, which failed, and how to pair two lists of calls.

Two calls are the same if they call one tool with equal arguments after normalisation: the order of names does not
matter, an argument that is null counts as not given, 2.0 is 2 (and is not true), and texts are in Unicode's
composed form, without whitespace at the ends and with every other run of whitespace made one space. Letter case
matters.
"""

import json
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, cast
from unicodedata import normalize

from ragstone.case import ToolCall

ArgumentMode = Literal["exact", "ignore", "subset", "superset"]
"""Which arguments a call must have: exactly those of the expected call, any, a subset of them, or a superset."""

_MAX_NAMED_CALLS = 3


def call_key(call: ToolCall) -> str:
    """Return a key that is equal for calls that are the same."""
    return f"{call.name}\n{_canonical(_arguments(call))}"


def failure_of(call: ToolCall, error_prefixes: Sequence[str] = ()) -> str | None:
    """Return the error of a call, or None if the call does not report one.

    A call failed if it has an `error`, if its output is an object that reports one (`error` that is not empty,
    `isError` or `is_error` that is true, `status` that is `error`; JSON texts are read), or if its text begins with a
    given prefix.
    """
    if call.error:
        return call.error
    output = _json_object(call.output)
    if output is not None:
        if output.get("error"):
            return _to_text(output["error"])
        if output.get("isError") is True or output.get("is_error") is True or output.get("status") == "error":
            return _to_text(output.get("message") or output.get("content") or "error")
    text = call.output.strip() if isinstance(call.output, str) else ""
    return _to_text(text) if any(text.startswith(prefix) for prefix in error_prefixes) else None


def repeated_calls(
    calls: Sequence[ToolCall], *, count_retries: bool = False, error_prefixes: Sequence[str] = ()
) -> tuple[int, ...]:
    """Return the positions of the calls that repeat an earlier one.

    A repetition of a failed call is a retry: it is included only with `count_retries`.
    """
    failed: dict[str, bool] = {}
    repeated: list[int] = []
    for index, call in enumerate(calls):
        key = call_key(call)
        if key in failed and (count_retries or not failed[key]):
            repeated.append(index)
        failed[key] = failure_of(call, error_prefixes) is not None
    return tuple(repeated)


def pair_calls(
    expected: Sequence[ToolCall], made: Sequence[ToolCall], arguments: ArgumentMode
) -> dict[int, int]:
    """Return position of an expected call → position of its paired made call, with as many pairs as possible.

    Each call is in one pair at most.
    """
    arguments_fit = _ARGUMENT_TESTS[arguments]
    expected_calls = [(call.name, _arguments(call)) for call in expected]
    made_calls = [(call.name, _arguments(call)) for call in made]
    return largest_pairing(
        [
            [
                index
                for index, (name, values) in enumerate(made_calls)
                if name == expected_name and arguments_fit(values, expected_values)
            ]
            for expected_name, expected_values in expected_calls
        ]
    )


def largest_pairing(fits: Sequence[Sequence[int]]) -> dict[int, int]:
    """Return row → column for as many rows as possible, each column once: augmenting paths (Berge 1957)."""
    column_of: dict[int, int] = {}
    row_of: dict[int, int] = {}
    for start in range(len(fits)):
        end, reached_from = _augmenting_path(start, fits, row_of)
        while end is not None:
            row = reached_from[end]
            row_of[end], column_of[row], end = row, end, column_of.get(row)
    return column_of


def name_calls(calls: Sequence[ToolCall]) -> str:
    """Return the names of the first few calls, and how many more there are."""
    names = ", ".join(call.name for call in calls[:_MAX_NAMED_CALLS])
    more = len(calls) - _MAX_NAMED_CALLS
    return f"{names} and {more} more" if more > 0 else names


def _augmenting_path(
    start: int, fits: Sequence[Sequence[int]], row_of: Mapping[int, int]
) -> tuple[int | None, dict[int, int]]:
    """Return the free column at the end of an alternating path from a row, None without any, and each column's row."""
    reached_from: dict[int, int] = {}
    queue = deque([start])
    while queue:
        row = queue.popleft()
        for column in fits[row]:
            if column not in reached_from:
                reached_from[column] = row
                if column not in row_of:
                    return column, reached_from
                queue.append(row_of[column])
    return None, reached_from


def _is_subset(values: Mapping[str, Any], others: Mapping[str, Any]) -> bool:
    return all(
        name in others and _canonical(others[name]) == _canonical(value) for name, value in values.items()
    )


_ARGUMENT_TESTS: dict[ArgumentMode, Callable[[Mapping[str, Any], Mapping[str, Any]], bool]] = {
    "exact": lambda values, expected: _canonical(values) == _canonical(expected),
    "ignore": lambda values, expected: True,  # noqa: ARG005  (one signature)
    "subset": _is_subset,
    "superset": lambda values, expected: _is_subset(expected, values),
}


def _arguments(call: ToolCall) -> dict[str, Any]:
    return cast("dict[str, Any]", _normalized(call.input_parameters or {}))


def _canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True, default=repr)


def _normalized(value: object) -> object:
    if isinstance(value, str):
        return " ".join(normalize("NFC", value).split())
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Mapping):
        items = cast("Mapping[object, object]", value).items()
        return {str(name): _normalized(part) for name, part in items if part is not None}
    if isinstance(value, list | tuple):
        return [_normalized(part) for part in cast("Sequence[object]", value)]
    return value


def _json_object(output: object) -> Mapping[str, Any] | None:
    """Return an output that is a JSON object, or the text of one."""
    if isinstance(output, str) and output.lstrip().startswith("{"):
        try:
            output = json.loads(output)
        except (ValueError, RecursionError):
            return None
    return cast("Mapping[str, Any]", output) if isinstance(output, Mapping) else None


def _to_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=repr)
