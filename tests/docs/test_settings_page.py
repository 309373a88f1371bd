"""The pages of the command line and of the settings are completed from the code when the site is built."""

import pytest
from tests.docs._page import ROOT
from tests.docs.test_hooks import hook

from ragstone.cli import COMMANDS
from ragstone.config import ModelPrice, NamedJudge, Settings
from ragstone.options import meanings

pytest.importorskip("mkdocs", reason="THE SITE IS NOT TESTED: mkdocs is not installed (group dev)")


def completed(name: str) -> str:
    page = (ROOT / "docs" / "reference" / f"{name}.md").read_text(encoding="utf-8")
    return str(hook("command_line").completed(page))


def test_the_page_of_the_command_line_lists_and_links_every_command_with_its_help() -> None:
    text = completed("command-line")
    for command in COMMANDS:
        assert f"| [`ragstone {command}`](#ragstone-{command}) | " in text
        assert f"## ragstone {command}\n\n```text\nUsage: ragstone {command} " in text
    assert "made:" not in text


def test_the_page_of_settings_describes_every_setting_key_and_variable() -> None:
    text = completed("settings")
    assert set(meanings(Settings)) == set(Settings.model_fields)
    assert (
        "| `concurrency` | `RAGSTONE_CONCURRENCY` | `16` | maximum number of concurrent judge calls |\n"
        in text
    )
    assert "| `serve --port` | `RAGSTONE_SERVE_PORT` |\n" in text
    for model in (Settings, NamedJudge, ModelPrice):
        assert all(f"| `{name}` | " in text for name in model.model_fields)
    assert "made:" not in text


def test_no_setting_is_taken_for_a_variable_of_a_command() -> None:
    prefixes = tuple(f"{name.replace('-', '_')}_" for name in COMMANDS)
    assert [name for name in Settings.model_fields if name.startswith(prefixes)] == []
