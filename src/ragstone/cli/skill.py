"""`ragstone skill`: instructions for a coding agent, from the package's SKILL.md."""

import re
from importlib.resources import files

import click

from ragstone.cli._command import subcommand

_COMMENT = re.compile(r"<!--.*?-->\n+", re.DOTALL)


@subcommand("skill")
def command() -> None:
    """Print instructions for coding agents: how to evaluate a RAG system with ragstone, as a SKILL.md.

    They name the command for each question, and what a figure may be taken for.

    Examples:
      ragstone skill > .claude/skills/ragstone/SKILL.md
      ragstone skill >> AGENTS.md
    """
    text = files("ragstone").joinpath("SKILL.md").read_text("utf-8")
    click.echo(_COMMENT.sub("", text), nl=False)  # comments are for the tests that run the commands
