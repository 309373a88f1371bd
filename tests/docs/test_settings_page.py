"""The page of settings tells every key, its variable, its default and its meaning, as the code has them."""

from typing import Any

import pytest
from pydantic import BaseModel
from tests.docs._page import ROOT
from tests.testing.for_each import for_each

from ragstone.config import ModelPrice, NamedJudge, Settings
from ragstone.options import meanings

PAGE = (ROOT / "docs" / "reference" / "settings.md").read_text(encoding="utf-8")


def default(name: str) -> str:
    value: Any = Settings.model_fields[name].get_default(call_default_factory=True)
    if value is None or value in ({}, ()):
        return "\N{EN DASH}"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`".replace(".0`", "`")


@for_each("name", Settings.model_fields)
def test_every_setting_stands_on_the_page(name: str) -> None:
    row = f"| `{name}` | `RAGSTONE_{name.upper()}` | {default(name)} | {meanings(Settings)[name]} |\n"
    assert row in PAGE, f"docs/reference/settings.md lacks the row\n{row}"


@pytest.mark.parametrize("model", [NamedJudge, ModelPrice])
def test_every_key_of_a_table_stands_on_the_page(model: type[BaseModel]) -> None:
    rows = [f"| `{name}` | {meanings(model)[name]} |\n" for name in model.model_fields]
    assert [row for row in rows if row not in PAGE] == []
