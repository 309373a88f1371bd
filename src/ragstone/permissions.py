"""What a command may do because of a text that its user did not write: import a module, send a key to a host.

A project's file, a stored run, a results file or a tuned judge may come from somebody else. A command therefore
imports `module:name`, and sends a key from the environment to a host of a spec, only if the user wrote that name: on
the command line, in a RAGSTONE_… variable, or in a configuration file of their own; or if the user trusts the project.
Python programs and pytest, which run the code of their folder anyway, are not restricted.
"""

import re
import sys
from collections.abc import Callable, Collection, Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ragstone.errors import UsageError


@dataclass(frozen=True, slots=True)
class Permissions:
    """What the user of a command wrote. The functions are called only for a name that is not on the command line.

    Attributes:
        typed: the words of the command line. The current folder is searched for modules that they name.
        own_texts: returns the variables and files of the user. Only installed modules that they name are imported.
        trusted_folders: returns the folders whose modules may be imported whoever names them.
        trusted_hosts: returns the hosts to which keys may be sent.
        user_file: returns the user's own configuration file, for messages.
    """

    typed: tuple[str, ...]
    own_texts: Callable[[], Iterable[str]]
    trusted_folders: Callable[[], Iterable[Path]]
    trusted_hosts: Callable[[], Collection[str]]
    user_file: Callable[[], Path]


_current: Permissions | None = None


@contextmanager
def restricted(permissions: Permissions) -> Generator[None]:
    """Restrict this process to permissions until the end of the block."""
    global _current  # noqa: PLW0603  (of the process, whose threads a context variable would not reach)
    before, path = _current, list(sys.path)
    _current = permissions
    try:
        yield
    finally:
        _current = before
        sys.path[:] = [folder for folder in sys.path if folder in path]


def is_restricted() -> bool:
    """Return whether a command runs in this process."""
    return _current is not None


def allow_import(kind: str, path: str) -> None:
    """Make the folder of `module:name` importable, where the user wrote the name or trusts the project.

    Raises:
        UsageError: neither; nothing was imported.
    """
    if _current is None:
        return
    if _names(_current.typed, path):
        _search([Path.cwd()])
        return
    folders = list(_current.trusted_folders())
    if folders:
        _search(folders)
    elif not _names(_current.own_texts(), path):
        raise UsageError(
            f"The {kind.replace('_', ' ')} {path!r} is code that you did not name: a project's file, a stored run or "
            f"another file does. It was not imported. If you trust it, name it on the command line, add --trust, or "
            f"write trust = true in {_current.user_file()}."
        )


def allow_host(spec: str, host: str) -> None:
    """Check that the key of the environment may be sent to the host of a spec.

    Raises:
        UsageError: the user did not write the host, and does not trust it.
    """
    if _current is None or host in _current.trusted_hosts():
        return
    if not _names(_current.typed, host) and not _names(_current.own_texts(), host):
        raise UsageError(untrusted_host(spec, host, _current.user_file()))


def untrusted_host(names: str, host: str, user_file: Path, what: str = "your key would be sent there") -> str:
    """Return the message on a host that somebody else names."""
    return (
        f"{names} names the host {host}, and {what}. If you trust it, set RAGSTONE_TRUSTED_HOSTS={host}, or write "
        f"trusted_hosts = [{host!r}] in {user_file}."
    )


def _names(texts: Iterable[str], name: str) -> bool:
    """Return whether one of the texts contains a name, and not as a part of a longer one."""
    pattern = re.compile(rf"(?<![\w.\-]){re.escape(name)}(?![\w.\-])")
    return any(pattern.search(text) for text in texts)


def _search(folders: Iterable[Path]) -> None:
    sys.path.extend(str(folder) for folder in folders if str(folder) not in sys.path)
