"""The group of subcommands. Its help imports none of them; errors become a message and an exit code."""

import os
import signal
import sys
from collections.abc import Mapping
from difflib import get_close_matches
from importlib import import_module
from types import FrameType
from typing import Any

import click

from ragstone.cli._exit_codes import ExitCode, exit_on_errors
from ragstone.cli._permissions import TRUST, permissions_of
from ragstone.errors import BadOption, UnknownName
from ragstone.permissions import restricted

_WORDS = "ragstone.words"
"""Key of the words of the command line in click's context."""


class Commands(click.Group):
    """A group whose subcommand `x-y` is the object `command` in `ragstone/cli/x_y.py`."""

    def __init__(self, *args: Any, commands_by_use: dict[str, str], **options: Any) -> None:  # noqa: ANN401  (click's)
        """Store the names and one-line descriptions of the subcommands, in order."""
        super().__init__(*args, **options)
        self._by_use = commands_by_use

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments. Without any, show the help and exit with the code of a wrong command."""
        if not args and not ctx.resilient_parsing:  # Click 8.1 would end with 0, later versions with 2
            click.echo(ctx.get_help(), err=True, color=ctx.color)
            ctx.exit(ExitCode.WRONG_COMMAND)
        ctx.meta[_WORDS] = tuple(args)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in order."""
        del ctx
        return list(self._by_use)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a subcommand and return it; None for an unknown name."""
        del ctx
        if cmd_name not in self._by_use:
            return None
        command: click.Command = import_module(f"ragstone.cli.{cmd_name.replace('-', '_')}").command
        # Set by `ragstone.__main__` for the time of the imports.
        if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            signal.signal(signal.SIGTERM, _interrupt)
        for name, option in variables(cmd_name, command).items():
            option.envvar = name
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the invoked subcommand, or fail with a suggestion for an unknown name."""
        if args and not args[0].startswith("-") and args[0] not in self._by_use:
            matches = get_close_matches(args[0], self._by_use, n=1)
            hint = f"Did you mean {matches[0]!r}?" if matches else f"Commands: {', '.join(self._by_use)}."
            ctx.fail(f"No such command {args[0]!r}. {hint}")
        name, command, rest = super().resolve_command(ctx, args)
        if name is not None and command is not None:
            _refuse_misspelt_variables(name, command)
        return name, command, rest

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of subcommands without importing them."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(self._by_use.items()))

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401  (click's)
        """Run the subcommand and exit with its exit code, or with the exit code of its error."""
        with exit_on_errors(ctx), restricted(permissions_of(ctx.meta[_WORDS])):
            code = super().invoke(ctx) or 0
            sys.stdout.flush()  # a full disk shows here, not after the exit code is chosen
            ctx.exit(code)


def variables(name: str, command: click.Command) -> Mapping[str, click.Option]:
    """Return the environment variables of a subcommand, each with its option: RAGSTONE_SERVE_HOST for `serve --host`.

    Such a variable has the effect of the option, whose longest spelling names it. --trust has none: it is a setting.
    """
    options = (item for item in command.params if isinstance(item, click.Option) and TRUST not in item.opts)
    return {_prefix(name) + _words(max(option.opts, key=len)).upper(): option for option in options}


def _refuse_misspelt_variables(name: str, command: click.Command) -> None:
    """Fail if a variable of the environment resembles one of a subcommand."""
    known = {variable.removeprefix(_prefix(name)).lower() for variable in variables(name, command)}
    for variable in os.environ:
        asked = variable.removeprefix(_prefix(name)).lower()
        if variable.startswith(_prefix(name)) and asked not in known and get_close_matches(asked, known):
            raise BadOption(f"{variable}: {UnknownName('option', asked, known)}")


def _prefix(name: str) -> str:
    return f"RAGSTONE_{_words(name).upper()}_"


def _words(option: str) -> str:
    return option.lstrip("-").replace("-", "_")


def _interrupt(number: int, frame: FrameType | None) -> None:
    """End on SIGTERM as on Ctrl-C, so that what is running is stopped, stored and can be resumed."""
    del number, frame
    signal.raise_signal(signal.SIGINT)
