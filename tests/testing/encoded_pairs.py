"""What the embedded judge's encoder says of a pair of texts: recorded, or read once by the processes of a test session.

Its answer depends on the pair alone (`tests/judges/local/model/test_encoder.py` shows it) and takes much CPU, and many
tests judge the same texts, such as the demo's, in processes of their own. `encoded_pairs.npz` holds what the encoder
with the packaged weights says of the pairs that most tests read; with other weights it is left aside, and each pair is
read once a session. Tests of the judge (`tests/judges/local/`) read every pair.

    make pairs          runs the tests without the table, and writes it anew

`test_encoded_pairs.py` reads some pairs of the table again.
"""

import json
import os
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, lru_cache
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

TABLE = Path(__file__).with_suffix(".npz")
SAMPLE = 60
"""Pairs whose texts the table holds too."""
RECORDING = "TESTS_RECORD_PAIRS"
"""Set by `make pairs`: nothing is looked up in the table, and the session's pairs are written to it at the end."""
_VARIABLE = "TESTS_ENCODED_PAIRS"
"""Names the folder, for the processes of pytest-xdist and the fork servers."""
_REMEMBERED = 4_096
_KEY_SIZE = 8
_FOLDERS: list["TemporaryDirectory[str]"] = []
_AS_RECORDED = [True]

Outputs = tuple[float, ...]
Pair = tuple[str, ...]
"""The task, the question, the first text and the second."""


class Table(NamedTuple):
    """What is recorded.

    Attributes:
        weights: the SHA-256 of the weights that said it.
        outputs: by the key of a pair.
        sample: some of the pairs.
    """

    weights: str
    outputs: Mapping[bytes, Outputs]
    sample: tuple[Pair, ...]


def share() -> None:
    """Let this process read a pair only where no process of the session has; call it before the judge is imported."""
    from ragstone.judges.local.model import encoder  # noqa: PLC0415  (numpy reads variables that a conftest sets)

    if _VARIABLE not in os.environ:
        _FOLDERS.append(TemporaryDirectory(prefix="ragstone-pairs-"))  # until this process ends
        os.environ[_VARIABLE] = _FOLDERS[0].name
    read = encoder.read_pair.__wrapped__
    encoder.read_pair = lru_cache(_REMEMBERED)(_shared(read, Path(os.environ[_VARIABLE])))


@contextmanager
def asked_anew() -> Iterator[None]:
    """Leave the table aside: pairs are read."""
    from ragstone.judges.local.model import encoder  # noqa: PLC0415  (as above)

    encoder.read_pair.cache_clear()
    _AS_RECORDED[0] = False
    yield
    _AS_RECORDED[0] = True


@cache
def packaged_weights() -> str:
    """Return the SHA-256 of the weights in the package."""
    from ragstone.judges.local.model import encoder  # noqa: PLC0415  (as above)

    folder = Path(encoder.__file__).parents[1]
    return folder.joinpath(encoder.HASH_FILE).read_text("ascii").strip()


@cache
def table() -> Table:
    """Return the table, loaded once per process."""
    import numpy as np  # noqa: PLC0415  (as above)

    with np.load(TABLE, allow_pickle=False) as kept:
        keys, counts, flat = kept["keys"].tobytes(), kept["counts"].tolist(), kept["outputs"].tolist()
        weights, sample = (bytes(kept[name]).decode() for name in ("weights", "sample"))
    ends = iter(flat)
    outputs = {
        keys[_KEY_SIZE * place : _KEY_SIZE * (place + 1)]: tuple(next(ends) for _ in range(count))
        for place, count in enumerate(counts)
    }
    return Table(weights, outputs, tuple(map(tuple, json.loads(sample))))


def write(read: Iterable[tuple[Pair, Outputs]], path: Path = TABLE) -> None:
    """Write a table of pairs and what the encoder said of them."""
    import numpy as np  # noqa: PLC0415  (as above)

    by_key = {_key(pair): (pair, outputs) for pair, outputs in read}
    found = [by_key[key] for key in sorted(by_key)]
    sample = [pair for pair, _ in found[:: max(len(found) // SAMPLE, 1)]][:SAMPLE]
    np.savez_compressed(
        path,
        weights=np.frombuffer(packaged_weights().encode(), np.uint8),
        keys=np.frombuffer(b"".join(sorted(by_key)), np.uint8),
        counts=np.array([len(outputs) for _, outputs in found], np.uint8),
        outputs=np.array([output for _, outputs in found for output in outputs], np.float32),
        sample=np.frombuffer(json.dumps(sample).encode(), np.uint8),
    )


def write_session() -> None:
    """Write the table anew from what this session has read, where it was asked to."""
    if RECORDING in os.environ and _FOLDERS:
        write(_read_in_session(Path(_FOLDERS[0].name)))


def _read_in_session(folder: Path) -> Iterator[tuple[Pair, Outputs]]:
    for file in folder.glob("*.json"):
        kept = json.loads(file.read_text())
        yield tuple(kept["pair"]), tuple(kept["outputs"])


def _shared(read: Callable[..., Outputs], folder: Path) -> Callable[..., Outputs]:
    def read_pair(*pair: str) -> Outputs:
        found = _recorded(pair)
        if found is None:
            found = _read_once(pair, read, folder / _digest(pair).hex())
        return found

    return read_pair


def _read_once(pair: Pair, read: Callable[..., Outputs], file: Path) -> Outputs:
    try:
        found = tuple(array("d", file.read_bytes()))
    except FileNotFoundError:
        found = read(*pair)
        _put(file, array("d", found).tobytes())
    if RECORDING in os.environ and _AS_RECORDED[0]:
        _put(file.with_suffix(".json"), json.dumps({"pair": pair, "outputs": found}).encode())
    return found


def _put(file: Path, content: bytes) -> None:
    """Write a file at once, unless the session has ended."""
    written = file.with_suffix(f".{os.getpid()}")
    with suppress(FileNotFoundError):
        written.write_bytes(content)
        written.replace(file)


def _recorded(pair: Pair) -> Outputs | None:
    if not _AS_RECORDED[0] or RECORDING in os.environ or table().weights != packaged_weights():
        return None
    return table().outputs.get(_key(pair))


def _key(pair: Pair) -> bytes:
    return _digest(pair)[:_KEY_SIZE]


def _digest(pair: Pair) -> bytes:
    return blake2b(repr(pair).encode(), digest_size=20).digest()
