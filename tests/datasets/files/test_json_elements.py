import io
import json
from contextlib import suppress
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.testing.for_each import for_each

from ragstone.datasets.files import json_elements
from ragstone.datasets.files.json_elements import ArrayElement, BrokenArray, JsonArrayScanner

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def elements(text: str, block: int = json_elements.BLOCK) -> list[Any]:
    with patch.object(json_elements, "BLOCK", block):
        scanner = JsonArrayScanner(io.StringIO(text))
        assert scanner.take() == "["
        return [item.value if item.parsed else json.loads(item.text) for item in scanner.items()]


@given(st.lists(JSON, max_size=6), st.integers(1, 40), st.sampled_from([None, 1]), st.booleans())
def test_array_elements_do_not_depend_on_block_size(
    array: list[Any],
    block: int,
    indent: int | None,
    ascii_only: bool,  # noqa: FBT001  (drawn)
) -> None:
    assert elements(json.dumps(array, indent=indent, ensure_ascii=ascii_only), block) == array


def test_each_element_knows_its_line() -> None:
    scanner = JsonArrayScanner(io.StringIO('\n[{"a":\n1}, 2,\n\n[3\n],{}]'))
    scanner.take()
    assert [item.line for item in scanner.items()] == [2, 3, 5, 6]


@for_each("text", ["[", "[1", "[1,", '["a', '[{"a": 1}', "[1}", "[}", "[{]", '["\\'])
def test_an_array_without_an_end_is_broken(text: str) -> None:
    scanner = JsonArrayScanner(io.StringIO(text))
    scanner.take()
    with pytest.raises(BrokenArray):
        list(scanner.items())


@given(st.text(alphabet='[]{},:"\\ \na1', max_size=30), st.integers(1, 8))
def test_no_text_hangs_the_scanner(text: str, block: int) -> None:
    with patch.object(json_elements, "BLOCK", block):
        scanner = JsonArrayScanner(io.StringIO("[" + text))
        scanner.take()
        found: list[ArrayElement] = []
        with suppress(BrokenArray):
            found.extend(scanner.items())
        assert len(found) <= len(text)
        assert [item.line for item in found] == sorted(item.line for item in found)
        assert scanner.line <= 1 + text.count("\n")


@for_each("text", ["a: 1", '"a" 1', '"a', ""])
def test_key_without_quotes_or_colon_raises_broken_array(text: str) -> None:
    with pytest.raises(BrokenArray, match="a key in quotes"):
        JsonArrayScanner(io.StringIO(text)).key()
