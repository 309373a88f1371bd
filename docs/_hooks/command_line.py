"""The pages of the command line and of the settings: what commands, options and settings say of themselves.

A comment `<!-- made: NAME -->` in a page stands for what the function of that name returns.
"""

import re
from collections.abc import Iterator
from typing import Any

import click
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page
from pydantic import BaseModel

from ragstone.cli import COMMANDS, ragstone
from ragstone.cli._group import variables
from ragstone.config import ModelPrice, NamedJudge, Settings
from ragstone.options import meanings

_MADE = re.compile(r"^<!-- made: (\w+) -->$", re.MULTILINE)
_SERVICES = ("run", "serve", "watch", "mcp")
_WIDTH = 78


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Complete a page."""
    del page, config, files
    return completed(markdown)


def completed(markdown: str) -> str:
    """Return a page with what its comments stand for."""
    return _MADE.sub(lambda match: "\n".join(PARTS[match[1]]()), markdown)


def command_table() -> Iterator[str]:
    """Yield a table of the commands."""
    yield from ("| command | does |", "|---|---|")
    for name, meaning in COMMANDS.items():
        yield f"| [`ragstone {name}`](#ragstone-{name}) | {meaning[0].lower()}{meaning[1:].removesuffix('.')} |"


def help_texts() -> Iterator[str]:
    """Yield what `--help` prints, for each command."""
    for name in COMMANDS:
        ctx = click.Context(_command(name), info_name=f"ragstone {name}", terminal_width=_WIDTH)
        yield f"## ragstone {name}\n\n```text\n{ctx.get_help()}\n```\n"


def setting_table() -> Iterator[str]:
    """Yield a table of the settings."""
    yield from ("| key | variable | default | means |", "|---|---|---|---|")
    for name, meaning in meanings(Settings).items():
        yield f"| `{name}` | `RAGSTONE_{name.upper()}` | {_default(name)} | {meaning} |"


def variable_table() -> Iterator[str]:
    """Yield a table of the variables of the commands that run as services or jobs."""
    yield from ("| option | variable |", "|---|---|")
    for name in _SERVICES:
        for variable, option in variables(name, _command(name)).items():
            yield f"| `{name} {max(option.opts, key=len)}` | `{variable}` |"


def _keys(model: type[BaseModel]) -> Iterator[str]:
    yield from ("| key | means |", "|---|---|")
    yield from (f"| `{name}` | {meaning} |" for name, meaning in meanings(model).items())


def judge_keys() -> Iterator[str]:
    """Yield a table of the keys of a named judge."""
    return _keys(NamedJudge)


def price_keys() -> Iterator[str]:
    """Yield a table of the keys of a price."""
    return _keys(ModelPrice)


PARTS = {
    part.__name__: part
    for part in (command_table, help_texts, setting_table, variable_table, judge_keys, price_keys)
}


def _command(name: str) -> click.Command:
    command = ragstone.get_command(click.Context(ragstone), name)
    assert command is not None
    return command


def _default(name: str) -> str:
    value: Any = Settings.model_fields[name].get_default(call_default_factory=True)
    if value is None or value in ({}, ()):
        return "\N{EN DASH}"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`".replace(".0`", "`")
