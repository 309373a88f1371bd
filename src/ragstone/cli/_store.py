"""Store location for all commands: where a run is stored, and where runs are looked up."""

import os
from getpass import getuser
from pathlib import Path
from typing import TYPE_CHECKING

# Imports its database library on first use: not for a run without a store.
from ragstone import store as stores
from ragstone.cli._exit_codes import print_message
from ragstone.config import read_settings
from ragstone.errors import StoreError, UsageError

if TYPE_CHECKING:
    from ragstone.store import Store
    from ragstone.store.read.audit_log import AuditEntry

StoreLocation = bool | str | Path | None


def command_entry(action: str, subject: str, detail: str = "") -> "AuditEntry":
    """Return a line of the audit log on a change by a command, which names the account that gave it."""
    from ragstone.store.read.audit_log import Actor, AuditEntry  # noqa: PLC0415  (few commands change a store)

    try:
        name = getuser()
    except (OSError, KeyError):  # an account without a name, as in a container
        name = ""
    return AuditEntry(Actor("command", name, "owner"), action, subject, detail)


def resolve_store(asked: StoreLocation) -> "StoreLocation | Store":
    """Return the store of a run: the requested one, else the default one, opened, if it is writable.

    The default store was not requested, so a problem with it never stops a run: a one-line message is printed and None
    is returned.
    """
    if asked is not None:
        return asked
    path = stores.default_path()
    problem: object = f"{path} cannot be written."
    if not path.exists() or os.access(path, os.W_OK):
        try:
            return stores.open_store(path)
        except (StoreError, OSError) as error:
            problem = error
    print_message(f"this run is not stored: {problem} (--no-store: store none.)")
    return None


def locate_store(store: str | None) -> Path | str:
    """Return where runs are kept: the requested store, the configured one, or the file in the user's data folder."""
    location = store if store is not None else read_settings({}).settings.store
    return stores.default_path() if location in (None, True, False, "default") else str(location)


def open_existing_store(store: str | None) -> "Store":
    """Return the requested store. A store that does not exist is not created."""
    where = locate_store(store)
    exists = "://" in str(where) or os.path.exists(os.path.expanduser(where))  # noqa: PTH110, PTH111  (a text or a path)
    if not exists:
        raise UsageError(
            f"No run is stored in {where} yet: store one with `ragstone run DATASET`, or name another --store."
        )
    return stores.open_store(where)
