"""What the same call is, what a failed one, and the pairing of two lists of calls."""

import itertools
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.testing.for_each import for_each

from ragstone import ToolCall
from ragstone.metrics.shared.trajectories import (
    call_key,
    failure_of,
    largest_pairing,
    name_calls,
    pair_calls,
    repeated_calls,
)


def call(name: str = "search", **arguments: Any) -> ToolCall:
    return ToolCall(name=name, input_parameters=arguments)


@for_each(
    "one, other",
    [
        (call(q="tower", limit=2), call(limit=2.0, q=" tower ")),
        (call(q="two  words\n"), call(q="two words")),
        (call(q="tower", language=None), call(q="tower")),
        (ToolCall(name="now"), call("now")),
        (call(q="caf\u00e9"), call(q="cafe\u0301")),
        (call(filter={"year": 1889, "type": None}), call(filter={"year": 1889})),
        (call(ids=[1, "a b"]), call(ids=(1.0, "a  b"))),
    ],
)
def test_calls_that_are_the_same(one: ToolCall, other: ToolCall) -> None:
    assert call_key(one) == call_key(other)


@for_each(
    "one, other",
    [
        (call(q="tower"), call(q="Tower")),
        (call(q="tower"), call("read", q="tower")),
        (call(n=1), call(n=True)),
        (call(n=1), call(n="1")),
        (call(ids=[1, 2]), call(ids=[2, 1])),
        (call(q="a"), call(q="a", limit=1)),
    ],
)
def test_calls_that_are_not_the_same(one: ToolCall, other: ToolCall) -> None:
    assert call_key(one) != call_key(other)


@for_each(
    "output, error, failure",
    [
        ("30 EUR", None, None),
        (None, None, None),
        (None, "timed out", "timed out"),
        ({"error": "timed out"}, None, "timed out"),
        ({"error": {"code": 7}}, None, '{"code": 7}'),
        ({"error": None, "price": 30}, None, None),
        ({"error": ""}, None, None),
        ('{"error": "timed out"}', None, "timed out"),
        ('{"error": "timed out"', None, None),
        (
            {"isError": True, "content": [{"type": "text", "text": "no"}]},
            None,
            '[{"type": "text", "text": "no"}]',
        ),
        ({"isError": False, "content": []}, None, None),
        ({"status": "error", "message": "no"}, None, "no"),
        ({"status": "ok"}, None, None),
        ("Error: no such file", None, None),
        (["error"], None, None),
    ],
)
def test_failure_of_reads_errors_of_a_call(output: Any, error: str | None, failure: str | None) -> None:
    assert failure_of(ToolCall(name="price", output=output, error=error)) == failure


def test_error_prefixes_mark_text_outputs_as_failures() -> None:
    made = ToolCall(name="read", output="  Error: no such file")
    assert failure_of(made, ("Error:",)) == "Error: no such file"
    assert failure_of(made, ("Failed",)) is None


def test_retries_are_not_repeated_calls_unless_counted() -> None:
    failed = ToolCall(name="price", output={"error": "timed out"})
    fine = ToolCall(name="price", output=30)
    assert repeated_calls([failed, failed, fine, fine]) == (3,)
    assert repeated_calls([failed, failed, fine, fine], count_retries=True) == (1, 2, 3)
    assert repeated_calls([fine, failed, fine]) == (1,)


def test_pair_calls_in_each_arguments_mode() -> None:
    wanted, more, other = call(q="a"), call(q="a", limit=3), call(q="b")
    fits = {
        mode: [bool(pair_calls([wanted], [made], mode)) for made in (wanted, more, other)]
        for mode in ("exact", "subset", "superset", "ignore")
    }
    assert fits == {
        "exact": [True, False, False],
        "subset": [True, False, False],
        "superset": [True, True, False],
        "ignore": [True, True, True],
    }
    assert pair_calls([more], [wanted], "subset") == {0: 0}
    assert pair_calls([wanted], [call("read", q="a")], "ignore") == {}


def test_the_pairing_is_the_largest_not_the_first() -> None:
    """Taking the first that fits leaves the second expected call without a partner."""
    expected = [call(q="a"), call(q="a", limit=3)]
    made = [call(q="a", limit=3), call(q="a")]
    assert pair_calls(expected, made, "superset") == {0: 1, 1: 0}


@given(st.lists(st.lists(st.integers(0, 4), max_size=5, unique=True), max_size=5))
def test_no_other_pairing_has_more_pairs(fits: list[list[int]]) -> None:
    found = largest_pairing(fits)
    assert len(set(found.values())) == len(found)
    assert all(column in fits[row] for row, column in found.items())
    most = max(
        (
            sum(column in columns for column, columns in zip(chosen, fits, strict=False))
            for chosen in itertools.permutations(range(5), len(fits))
        ),
        default=0,
    )
    assert len(found) == most


def test_a_long_trajectory_is_paired_without_recursion() -> None:
    size = 3000
    fits = [[row, row + 1] for row in range(size)]
    fits.append([0])
    assert len(largest_pairing(fits)) == size + 1


def test_the_first_few_calls_are_named() -> None:
    assert name_calls([call("a"), call("b")]) == "a, b"
    assert name_calls([call(letter) for letter in "abcde"]) == "a, b, c and 2 more"
