"""The page of settings tells every key, its variable, its default and its meaning, as the code has them."""

import os
from typing import Any

import click
import pytest
from pydantic import BaseModel
from tests.docs._page import ROOT
from tests.testing.for_each import for_each

from ragstone.cli import COMMANDS, ragstone
from ragstone.cli._group import variables
from ragstone.config import ModelPrice, NamedJudge, Settings
from ragstone.options import meanings

FILE = ROOT / "docs" / "reference" / "settings.md"
PAGE = FILE.read_text(encoding="utf-8")


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


def test_every_option_of_a_service_or_a_job_has_a_variable_that_stands_on_the_page() -> None:
    rows = "".join(
        f"| `{name} {max(option.opts, key=len)}` | `{variable}` |\n"
        for name in ("run", "serve", "watch", "mcp")
        if (command := ragstone.get_command(click.Context(ragstone), name))
        for variable, option in variables(name, command).items()
    )
    head = "| option | variable |\n|---|---|\n"
    before, _, after = PAGE.partition(head)
    written = after.partition("\n\n")[0].lstrip("\n") + "\n"
    if os.environ.get("RAGSTONE_UPDATE_REPORTS"):
        rest = after if after.startswith("\n") else f"\n{after.partition(chr(10) * 2)[2]}"
        FILE.write_text(f"{before}{head}{rows}{rest}", encoding="utf-8")
        return
    assert written == rows, "RAGSTONE_UPDATE_REPORTS=1 pytest tests/docs/test_settings_page.py writes it anew"


def test_no_setting_is_taken_for_a_variable_of_a_command() -> None:
    prefixes = tuple(f"{name.replace('-', '_')}_" for name in COMMANDS)
    assert [name for name in Settings.model_fields if name.startswith(prefixes)] == []
