"""Write a file atomically: into a temporary file beside it, which is then renamed."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO


@contextmanager
def atomic_write(path: Path) -> Generator[IO[bytes]]:
    """Open a temporary file that replaces `path` when all is written; until then, and after a failure, it is unchanged.

    Pipes, devices and other special files are written directly. Links are followed and permissions are kept. A new file
    is readable by its user alone, since reports quote prompts and answers.
    """
    target = path.resolve()
    if target.exists() and not target.is_file():
        with target.open("wb") as file:
            yield file
        return
    with NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as file:
        temporary = Path(file.name)
        try:
            yield file
            file.flush()
            temporary.chmod(_permissions(target))
            os.replace(temporary, target)  # noqa: PTH105  (says what it does: it takes the place of a file that is there)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


def _permissions(target: Path) -> int:
    """Return the permissions of the replaced file; a new file is readable by its user alone, as a store is."""
    return target.stat().st_mode & 0o777 if target.exists() else 0o600
