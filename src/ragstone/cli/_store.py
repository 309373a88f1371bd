"""Where a command keeps its run, and where a command looks for runs: one answer for all of them."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ragstone import (
    store as stores,
)  # reads its database library when it is first used: not by a run without a store
from ragstone.cli._exit_codes import print_message
from ragstone.config import read_settings
from ragstone.errors import StoreError, UsageError

if TYPE_CHECKING:
    from ragstone.store import Store

F = TypeVar("F", bound=Callable[..., Any])
StoreLocation = bool | str | Path | None


def store_option(command: F) -> F:
    """Add --store to a command that looks for runs."""
    return click.option(
        "--store",
        metavar="WHERE",
        help="Where the runs are: a file or postgresql://user@host/database. As configured, else in the user's data "
        "folder.",
    )(command)


def resolve_store(asked: StoreLocation) -> StoreLocation:
    """Return where a run is kept: where it was asked for, else in the user's data folder, where that can be written.

    Nobody asked for the latter, so that it never keeps a run from running: what is wrong is told in a line.
    """
    if asked is not None:
        return asked
    path = stores.default_path()
    problem = _problem(path)
    if problem is None:
        return True
    print_message(f"this run is not kept: {problem} (--no-store: keep none.)")
    return None


def _problem(path: Path) -> str | None:
    """Return what keeps a store from being written, None where nothing does."""
    if path.exists() and not os.access(path, os.W_OK):
        return f"{path} cannot be written."
    try:
        stores.open_store(path).close()
    except (StoreError, OSError) as error:
        return str(error)
    return None


def open_existing_store(store: str | None) -> "Store":
    """Return the store that is asked for; one that is not there is not made for the sake of looking.

    Raises:
        UsageError: no run was kept yet.
    """
    asked: StoreLocation = store if store is not None else read_settings({}).settings.store
    where = stores.default_path() if asked in (None, True, False, "default") else str(asked)
    there = "://" in str(where) or os.path.exists(os.path.expanduser(where))  # noqa: PTH110, PTH111  (a text or a path)
    if not there:
        raise UsageError(
            f"No run was kept in {where} yet: `ragstone run DATASET` keeps one, or name another --store."
        )
    return stores.open_store(where)
