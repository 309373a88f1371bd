"""Options of the engine: how fast the judge is asked, what it may cost, what is kept, and how to go on."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

_POSITIVE = click.FloatRange(min=0, min_open=True)

_PACE = (
    click.option("--rpm", type=_POSITIVE, metavar="N", help="Most judge calls a minute."),
    click.option("--tpm", type=_POSITIVE, metavar="N", help="Most tokens a minute, sent and received."),
    click.option(
        "--max-cost",
        type=_POSITIVE,
        metavar="USD",
        help="Stop once the judge's answers have cost so much; --resume goes on with more.",
    ),
    click.option("--estimate", is_flag=True, help="Print calls, tokens and cost, and ask nothing."),
)
_KEEPING = (
    click.option(
        "--cache/--no-cache",
        default=None,
        help="Keep the judge's answers in the user's cache folder (or the file RAGSTONE_CACHE) and find them again.",
    ),
    click.option(
        "--offline",
        is_flag=True,
        help="Answer from the cache alone; send nothing. A recorded run needs no key.",
    ),
    click.option(
        "--store",
        metavar="WHERE",
        help="Keep the run elsewhere than in the user's data folder: in a file, or postgresql://user@host/database.",
    ),
    click.option(
        "--no-store", is_flag=True, help="Keep no run: results live in memory and in what --output writes."
    ),
    click.option(
        "--tag",
        "tags",
        multiple=True,
        metavar="TAG",
        help="A label to find the run by. May be given several times.",
    ),
    click.option(
        "--resume",
        metavar="RUN",
        help="Go on with a run that stopped: its id, its name, or last. What was measured is not measured again.",
    ),
)


def engine_options(command: F) -> F:
    """Add all of them."""
    for option in reversed((*_PACE, *_KEEPING)):
        command = option(command)
    return command
