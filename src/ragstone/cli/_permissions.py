"""What the user of a command wrote: its words, the variables and their own files (see `ragstone.permissions`)."""

import os
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from ragstone.permissions import Permissions

TRUST = "--trust"


def permissions_of(words: Sequence[str]) -> Permissions:
    """Return what a command with these words may do. Configuration is read only if a name is not among the words."""
    return Permissions(
        typed=tuple(words),
        own_texts=_own_texts,
        trusted_folders=lambda: _trusted_folders(asked=TRUST in words),
        trusted_hosts=_trusted_hosts,
        user_file=_user_file,
    )


def _own_texts() -> Iterator[str]:
    from ragstone.config import PREFIX  # noqa: PLC0415  (few commands import what somebody else names)

    yield from (value for name, value in os.environ.items() if name.startswith(PREFIX))
    files = (_user_file(), Path(os.environ.get("RAGSTONE_CONFIG") or os.devnull))
    yield from (file.read_text("utf-8") for file in files if file.is_file())


def _trusted_folders(*, asked: bool) -> list[Path]:
    from ragstone.config import read_settings  # noqa: PLC0415  (likewise)

    configuration = read_settings()
    folder = configuration.project_folder if asked else configuration.trusted_folder
    return list(dict.fromkeys(place for place in (folder, Path.cwd() if asked or folder else None) if place))


def _trusted_hosts() -> Collection[str]:
    from ragstone.config import read_settings  # noqa: PLC0415  (likewise)

    return read_settings().settings.trusted_hosts


def _user_file() -> Path:
    from ragstone.config.files import user_file  # noqa: PLC0415  (likewise)

    return user_file()
