"""What the embedded judge's encoder says of a pair of texts, recorded, and shared by the processes of a test session.

Its answer depends on the pair alone (`tests/judges/local/model/test_encoder.py` shows it) and takes much CPU, and many
tests judge the same texts, such as the demo's, in processes of their own. What the tests ask about is recorded in this
folder (see `record_pairs`); the recording is used only with the weights and the source files that it was made with.
Any other pair is read once a session.
"""

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from ragstone.judges.local.model import recent_outputs

RECORDING = Path(__file__).with_name("encoded_pairs.npz")
FOLDER = "TESTS_ENCODED_PAIRS"
"""Names the folder, for the processes of pytest-xdist and the fork servers."""
UNRECORDED = "TESTS_UNRECORDED_PAIRS"
"""Set where the recording is to be left alone."""
_SOURCES = (
    "encoder.sha256", "model/encoder.py", "model/four_bits.py", "model/linear.py", "model/word_pieces.py",
)  # fmt: skip
_FOLDERS: list["TemporaryDirectory[str]"] = []

Pair = tuple[object, ...]
Outputs = tuple[float, ...]


def share() -> None:
    """Let this process read a pair only where no process of the session has; call it before a pair is read."""
    from ragstone.judges.local.model import encoder  # noqa: PLC0415  (numpy reads variables that a conftest sets)

    if FOLDER not in os.environ:
        _FOLDERS.append(TemporaryDirectory(prefix="ragstone-pairs-"))  # until this process ends
        os.environ[FOLDER] = _FOLDERS[0].name
    encoder._outputs = _SharedOutputs(encoder._REMEMBERED, Path(os.environ[FOLDER]))


def digest(pair: Pair) -> bytes:
    """Return what a pair is known by: its task, then a question and two texts."""
    task, texts = pair
    return blake2b(json.dumps([task, texts]).encode(), digest_size=16).digest()


def made_with() -> str:
    """Return the digest of all that an output depends on."""
    folder, seen = files("ragstone.judges.local"), blake2b(digest_size=16)
    for name in _SOURCES:
        seen.update(folder.joinpath(name).read_bytes())
    return seen.hexdigest()


def recorded() -> dict[bytes, Outputs]:
    """Return the outputs of the recorded pairs; none where the encoder is another than that of the recording."""
    import numpy as np  # noqa: PLC0415  (likewise)

    with np.load(RECORDING, allow_pickle=False) as archive:
        if str(archive["made_with"]) != made_with():
            return {}
        known = [row.tobytes() for row in archive["digests"]]
        rows, counts = archive["outputs"].tolist(), archive["counts"].tolist()
    return {key: tuple(row[:count]) for key, row, count in zip(known, rows, counts, strict=True)}


class _SharedOutputs(recent_outputs.RecentOutputs[Pair, Outputs]):
    """Outputs that are recorded, kept in memory or in the files of a folder."""

    def __init__(self, most: int, folder: Path) -> None:
        super().__init__(most)
        self._folder = folder
        self._recorded = {} if UNRECORDED in os.environ or not RECORDING.exists() else recorded()

    def of(self, keys: Sequence[Pair]) -> dict[Pair, Outputs]:
        known = super().of(keys)
        of_others: dict[Pair, Outputs] = {}
        for key in {*keys} - known.keys():
            name = digest(key)
            if name in self._recorded:
                of_others[key] = self._recorded[name]
                continue
            with suppress(FileNotFoundError):
                of_others[key] = tuple(json.loads(self._file(name).read_bytes())[1])
        super().keep(of_others)
        return known | of_others

    def keep(self, new: Mapping[Pair, Outputs]) -> None:
        super().keep(new)
        for key, outputs in new.items():
            file = self._file(digest(key))
            written = file.with_suffix(f".{os.getpid()}")
            with suppress(FileNotFoundError):  # the session has ended
                written.write_text(json.dumps([key, outputs]), "utf-8")
                written.replace(file)

    def _file(self, name: bytes) -> Path:
        return self._folder / f"{name.hex()}.json"
