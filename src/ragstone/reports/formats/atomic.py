"""Write a file atomically: into a temporary file beside it, which is then renamed."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO


@contextmanager
def atomic_write(path: Path) -> Generator[IO[bytes]]:
    """Open a file that becomes `path` when all was written; before that, and after a failure, `path` is as it was.

    What is no regular file (a pipe, a device) is written to directly. A link is followed, permissions are kept;
    a new file is readable by its user alone, for reports quote prompts and answers.
    """
    target = path.resolve()
    if target.exists() and not target.is_file():
        with target.open("wb") as file:
            yield file
        return
    with NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as file:
        neighbour = Path(file.name)
        try:
            yield file
            file.flush()
            neighbour.chmod(_permissions(target))
            os.replace(neighbour, target)  # noqa: PTH105  (says what it does: it takes the place of a file that is there)
        except BaseException:
            neighbour.unlink(missing_ok=True)
            raise


def _permissions(target: Path) -> int:
    """Return those of the file that is replaced; a new one is readable by its user alone, as a store is."""
    return target.stat().st_mode & 0o777 if target.exists() else 0o600
