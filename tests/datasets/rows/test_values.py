import json
import math
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st
from tests.testing.for_each import for_each

from ragstone.datasets.rows.row import is_missing, to_plain

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(JSON)
def test_to_plain_keeps_json_values(value: Any) -> None:
    assert to_plain(value) == value


@for_each(
    "value, expected",
    [
        (float("nan"), None),
        (np.float64("nan"), None),
        (pd.NA, None),
        (pd.NaT, None),
        (math.inf, "inf"),
        (np.int64(3), 3),
        (np.array(["a", "b"], dtype=object), ["a", "b"]),
        (("a", {"b": np.float32(0.5)}), ["a", {"b": 0.5}]),
        (datetime(2024, 5, 1, tzinfo=UTC), "2024-05-01T00:00:00+00:00"),
        (pd.Timestamp("2024-05-01"), "2024-05-01T00:00:00"),
        (b"abc", "<3 bytes>"),
        ({1: 2}, {"1": 2}),
        (1 + 2j, "(1+2j)"),
    ],
)
def test_to_plain_converts_numpy_pandas_and_date_values(value: Any, expected: Any) -> None:
    result = to_plain(value)
    assert result == expected
    assert json.loads(json.dumps(result, allow_nan=False)) == expected


@for_each("value", [None, "", " \n", [], {}])
def test_is_missing_for_empty_values(value: Any) -> None:
    assert is_missing(value)


@for_each("value", [0, False, "x", [None], {"a": None}])
def test_is_missing_is_false_for_other_values(value: Any) -> None:
    assert not is_missing(value)
