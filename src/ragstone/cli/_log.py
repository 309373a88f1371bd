"""Messages on standard error: plain lines, or one JSON object a line with `--log-format json`.

`logging` is imported only where it is used, so that a short command starts quickly.
"""

import sys
from contextlib import suppress
from typing import Literal

import click

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


def set_format(ctx: click.Context, _: click.Parameter, value: str) -> None:
    """Set the format until the command ends, also for the message of an error."""
    if value == "json" and not is_json():
        from ragstone.cli._json_log import logging_json  # noqa: PLC0415  (see above)

        ctx.find_root().with_resource(logging_json(echo))
