"""What the embedded judge's encoder says of a pair of texts, shared by the processes of a test session.

Its answer depends on the pair alone (`tests/judges/local/model/test_encoder.py` shows it) and takes much CPU, and many
tests judge the same texts, such as the demo's, in processes of their own: each pair is read once a session.
"""

import os
from array import array
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory

_VARIABLE = "TESTS_ENCODED_PAIRS"
"""Names the folder, for the processes of pytest-xdist and the fork servers."""
_REMEMBERED = 4_096
_FOLDERS: list["TemporaryDirectory[str]"] = []


def share() -> None:
    """Let this process read a pair only where no process of the session has; call it before the judge is imported."""
    from ragstone.judges.local.model import encoder  # noqa: PLC0415  (numpy reads variables that a conftest sets)

    if _VARIABLE not in os.environ:
        _FOLDERS.append(TemporaryDirectory(prefix="ragstone-pairs-"))  # until this process ends
        os.environ[_VARIABLE] = _FOLDERS[0].name
    read = encoder.read_pair.__wrapped__
    encoder.read_pair = lru_cache(_REMEMBERED)(_shared(read, Path(os.environ[_VARIABLE])))


def _shared(read: Callable[..., tuple[float, ...]], folder: Path) -> Callable[..., tuple[float, ...]]:
    def read_pair(*pair: str) -> tuple[float, ...]:
        file = folder / blake2b(repr(pair).encode(), digest_size=20).hexdigest()
        with suppress(FileNotFoundError):
            return tuple(array("d", file.read_bytes()))
        found = read(*pair)
        written = file.with_suffix(f".{os.getpid()}")
        with suppress(FileNotFoundError):  # the session has ended
            written.write_bytes(array("d", found).tobytes())
            written.replace(file)
        return found

    return read_pair
