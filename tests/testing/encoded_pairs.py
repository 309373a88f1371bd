"""What the embedded judge's encoder says of a pair of texts, shared by the processes of a test session.

Its answer depends on the pair alone (`tests/judges/local/model/test_encoder.py` shows it) and takes much CPU, and many
tests judge the same texts, such as the demo's, in processes of their own: each pair is read once a session.
"""

import os
from array import array
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory

from ragstone.judges.local.model import recent_outputs

_VARIABLE = "TESTS_ENCODED_PAIRS"
"""Names the folder, for the processes of pytest-xdist and the fork servers."""
_FOLDERS: list["TemporaryDirectory[str]"] = []

Pair = tuple[object, ...]
Outputs = tuple[float, ...]


def share() -> None:
    """Let this process read a pair only where no process of the session has; call it before a pair is read."""
    from ragstone.judges.local.model import encoder  # noqa: PLC0415  (numpy reads variables that a conftest sets)

    if _VARIABLE not in os.environ:
        _FOLDERS.append(TemporaryDirectory(prefix="ragstone-pairs-"))  # until this process ends
        os.environ[_VARIABLE] = _FOLDERS[0].name
    encoder._outputs = _SharedOutputs(encoder._REMEMBERED, Path(os.environ[_VARIABLE]))


class _SharedOutputs(recent_outputs.RecentOutputs[Pair, Outputs]):
    """Outputs that are kept in memory and in the files of a folder."""

    def __init__(self, most: int, folder: Path) -> None:
        super().__init__(most)
        self._folder = folder

    def of(self, keys: Sequence[Pair]) -> dict[Pair, Outputs]:
        known = super().of(keys)
        of_others: dict[Pair, Outputs] = {}
        for key in {*keys} - known.keys():
            with suppress(FileNotFoundError):
                of_others[key] = tuple(array("d", self._file(key).read_bytes()))
        super().keep(of_others)
        return known | of_others

    def keep(self, new: Mapping[Pair, Outputs]) -> None:
        super().keep(new)
        for key, outputs in new.items():
            file = self._file(key)
            written = file.with_suffix(f".{os.getpid()}")
            with suppress(FileNotFoundError):  # the session has ended
                written.write_bytes(array("d", outputs).tobytes())
                written.replace(file)

    def _file(self, key: Pair) -> Path:
        return self._folder / blake2b(repr(key).encode(), digest_size=20).hexdigest()
