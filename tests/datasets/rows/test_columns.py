from typing import Any

import pytest

from ragstone.datasets.rows.columns import columns


def test_columns_of_equal_length_are_rows() -> None:
    rows = columns({"question": ["a", "b"], "contexts": [["x"], ["y"]]})
    assert rows is not None
    assert list(rows) == [{"question": "a", "contexts": ["x"]}, {"question": "b", "contexts": ["y"]}]


@pytest.mark.parametrize(
    "row",
    [
        {"question": "a", "contexts": ["x"]},
        {"question": ["a"], "contexts": ["x", "y"]},
        {"contexts": ["x", "y"], "tags": ["a", "b"]},
        {"user_input": [{"role": "user", "content": "q"}], "contexts": ["x"]},
        {},
    ],
)
def test_what_is_one_row(row: dict[str, Any]) -> None:
    assert columns(row) is None
