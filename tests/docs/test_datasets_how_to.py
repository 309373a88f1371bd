"""The page on datasets tells the truth: its examples run, and its tables hold every name that is read."""

import re
from pathlib import Path

import pytest
from tests.testing.for_each import for_each

from ragstone.datasets.json import WRAPPERS
from ragstone.datasets.rows.field_names import ALIASES

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "datasets.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_examples_run(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(EXAMPLES[number], f"example {number + 1}", "exec"), {})  # noqa: S102  (the page's own code)


@for_each("field", ALIASES)
def test_table_lists_every_alias_of_a_field_in_order(field: str) -> None:
    (row,) = re.findall(rf"^\| `{field}`[^|]*\|(.*)\|$", PAGE, re.MULTILINE)
    assert tuple(re.findall(r"`(\w+)`", row)) == ALIASES[field]


def test_page_names_every_wrapper_key() -> None:
    assert all(f"`{name}`" in PAGE for name in WRAPPERS)
