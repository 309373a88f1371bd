"""`ragstone skill`: instructions for a coding agent, from the package's SKILL.md."""

import re
from importlib.resources import files

import click

_COMMENT = re.compile(r"<!--.*?-->\n+", re.DOTALL)


@click.command("skill")
def command() -> None:
    """Print instructions for coding agents: how to evaluate a RAG system with ragstone, as a SKILL.md.

    They name the command for each question, and what a figure may be taken for.

    \b
    Examples:
      ragstone skill > .claude/skills/ragstone/SKILL.md
      ragstone skill >> AGENTS.md
    """  # noqa: D301  (click reads the sign: do not fill the lines that follow)
    text = files("ragstone").joinpath("SKILL.md").read_text("utf-8")
    click.echo(_COMMENT.sub("", text), nl=False)  # comments are for the tests that run the commands
