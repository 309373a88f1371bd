"""Messages on standard error: plain lines, or one JSON object a line with `--log-format json`.

`logging` is imported only where it is used, so that a short command starts quickly.
"""

import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Literal, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])
Level = Literal["info", "warning", "error"]
_JSON_LOG = "ragstone.cli._json_log"


def tell(message: str, level: Level = "info") -> None:
    """Tell the user something: a line, or a JSON object where the command logs as JSON."""
    if is_json():
        import logging  # noqa: PLC0415  (see above)

        getattr(logging.getLogger("ragstone.command"), level)("%s", message)
    else:
        echo(message)


def is_json() -> bool:
    """Return whether messages are written as JSON."""
    return _JSON_LOG in sys.modules and sys.modules[_JSON_LOG].is_json()


def echo(line: str) -> None:
    """Write a line to standard error, if somebody reads it."""
    with suppress(OSError, ValueError):
        click.echo(line, err=True)


def log_option(command: F) -> F:
    """Add --log-format, which holds until the command ends, also for the message of an error."""
    return click.option(
        "--log-format",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        expose_value=False,
        callback=_set_format,
        help="Format of the messages on standard error: lines of text, or one JSON object a line.",
    )(command)


def _set_format(ctx: click.Context, _: click.Parameter, value: str) -> None:
    if value == "json" and not is_json():
        from ragstone.cli._json_log import logging_json  # noqa: PLC0415  (see above)

        ctx.find_root().with_resource(logging_json(echo))
