import json
from ast import literal_eval

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.testing.for_each import for_each

from ragstone.datasets.rows.cells import parse_list, parse_mapping
from ragstone.datasets.rows.row import RowError

TEXTS = st.lists(st.text(), max_size=5)


@given(TEXTS)
def test_parse_list_reads_json_and_python_lists(texts: list[str]) -> None:
    assert parse_list(json.dumps(texts)) == texts
    assert parse_list(json.dumps(texts, ensure_ascii=False, indent=1)) == texts
    assert parse_list(f" {texts!r}\n") == texts


@given(TEXTS)
def test_parse_list_reads_numpy_arrays_without_commas(texts: list[str]) -> None:
    array = np.array(texts, dtype=object)
    assert parse_list(str(array)) == texts
    assert parse_list(repr(array)) == texts


def test_adjacent_strings_are_separate_list_items() -> None:
    cell = "['one'\n 'two']"
    assert literal_eval(cell) == ["onetwo"]
    assert parse_list(cell) == ["one", "two"]


def test_parse_list_reads_python_list_of_mappings() -> None:
    assert parse_list("[{'page_content': 'a', 'metadata': {'source': None}}]") == [
        {"page_content": "a", "metadata": {"source": None}}
    ]


def test_unknown_escapes_are_kept_without_a_warning() -> None:
    assert parse_list(r"['C:\dir', '\d+']") == [r"C:\dir", r"\d+"]


@for_each("cell", ["plain", "a | b", "one\n\ntwo", "see [1]", "[1] See the manual. [2]", "", "x]"])
def test_parse_list_returns_none_for_plain_text(cell: str) -> None:
    assert parse_list(cell) is None


@for_each("cell", ["['a', oops]", "[__import__('os')]", "['a' 'b' ... 'c']", "[" * 50_000 + "]"])
def test_invalid_bracketed_list_raises_row_error(cell: str) -> None:
    with pytest.raises(RowError, match="a list is expected") as caught:
        parse_list(cell)
    assert caught.value.instead.startswith("Write it as JSON")


@for_each("cell", ['{"a": 1}', "{'a': 1}"])
def test_parse_mapping_reads_json_and_python(cell: str) -> None:
    assert parse_mapping(cell) == {"a": 1}


@for_each("cell", ["{a}", "{1, 2}", "[1]", "text"])
def test_parse_mapping_returns_none_for_other_text(cell: str) -> None:
    assert parse_mapping(cell) is None
