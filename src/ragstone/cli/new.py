"""`ragstone new metric NAME`: the files of a custom metric."""

import re
from keyword import iskeyword
from pathlib import Path
from typing import Annotated

import click

from ragstone.cli._command import OptionSpec, subcommand
from ragstone.cli._exit_codes import print_message
from ragstone.cli._scaffold import metric_files
from ragstone.errors import BadOption


@click.group("new")
def command() -> None:
    """Create the files of a custom metric."""


@subcommand("metric")
def _metric(
    name: str,
    *,
    folder: Annotated[Path, OptionSpec(type=click.Path(file_okay=False, path_type=Path))] = Path(),
    no_judge: bool = False,
) -> None:
    """Write NAME.py, test_NAME.py and NAME.md: a metric that works, a test that passes, a page about it.

    NAME is a module name such as kind_tone. Existing files are not overwritten.

    Options:
        folder: Folder of the new files. Default: the current folder.
        no_judge: A metric that is computed from the texts, without asking a judge.

    Example:
      ragstone new metric kind_tone && pytest test_kind_tone.py
      ragstone run demo -m kind_tone:KindTone --judge openai
      ragstone new metric short_sentences --no-judge
    """
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or iskeyword(name):
        raise BadOption(
            f"{name!r} is not a module name: write lower case letters and underscores, such as kind_tone"
        )
    files = {folder / file: text for file, text in metric_files(name, judged=not no_judge).items()}
    for path in files:
        if path.exists():
            raise BadOption(f"{path} already exists: use another name, or another --folder")
    folder.mkdir(parents=True, exist_ok=True)
    for path, text in files.items():
        path.write_text(text, encoding="utf-8")
        print_message(f"written: {path}")


command.add_command(_metric)
