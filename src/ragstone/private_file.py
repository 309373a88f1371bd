"""Files that quote prompts, answers or documents: a new one is readable by its user alone (mode 0600)."""

import os
from pathlib import Path
from typing import IO

_MODE, _FOLDER_MODE = 0o600, 0o700
_BINARY: int = getattr(os, "O_BINARY", 0)


def create_privately(path: Path) -> None:
    """Create an empty file, and the folders above it, unless it exists.

    Raises:
        OSError: it cannot be created.
    """
    path.parent.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, _MODE))


def append_privately(path: Path) -> IO[bytes]:
    """Open a file to append to, and create it if it does not exist; an existing one keeps its permissions."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | _BINARY, _MODE), "ab")


def write_privately(path: Path, text: str) -> None:
    """Write a text to a file, with the line ends of the text; an existing file keeps its permissions."""
    flags = os.O_WRONLY | os.O_TRUNC | os.O_CREAT | _BINARY
    with os.fdopen(os.open(path, flags, _MODE), "wb") as file:
        file.write(text.encode())
