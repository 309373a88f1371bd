"""Record what the encoder says of the pairs that the tests ask about.

    python -m tests.testing.record_pairs            after a change of the encoder: read the recorded pairs again
    python -m tests.testing.record_pairs FOLDER     after a session with TESTS_ENCODED_PAIRS=FOLDER: add what it read
                                                    that was not recorded

The first takes a few minutes. It keeps the pairs as they are, and tests may ask about others by now: those are read
anew in every session, which costs time only. The second is for a clone without the human-labelled data beside it: that
data must not be committed, and some tests read it. To drop pairs that no test asks about any more, run the whole
session with TESTS_UNRECORDED_PAIRS=1, and remove both files before they are written anew.
"""

import gzip
import json
import sys
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from tests.testing.encoded_pairs import RECORDING, Outputs, Pair, digest, made_with, recorded

from ragstone.judges.local.model.encoder import Task, TextPair, encoder

TEXTS = RECORDING.with_name("encoded_pairs.json.gz")
"""The recorded pairs themselves, to read them again."""
_TOGETHER = 5


def pairs() -> list[tuple[Task, TextPair]]:
    """Return the recorded pairs."""
    with gzip.open(TEXTS, "rt", encoding="utf-8") as file:
        return [(task, TextPair(*texts)) for task, texts in json.load(file)]


def read(known: list[tuple[Task, TextPair]]) -> Iterable[tuple[Pair, Outputs]]:
    """Yield pairs with what the encoder says of them."""
    by_task: dict[Task, list[TextPair]] = {}
    for task, texts in known:
        by_task.setdefault(task, []).append(texts)
    for task, own in by_task.items():
        for at in range(0, len(own), _TOGETHER):
            part = own[at : at + _TOGETHER]
            for texts, outputs in zip(part, encoder().read(task, part), strict=True):
                yield (task, texts), tuple(outputs.tolist())


def of_session(folder: Path) -> Iterable[tuple[Pair, Outputs]]:
    """Yield the recorded pairs, and those that a session of tests has read besides.

    Raises:
        SystemExit: the human-labelled data is beside this checkout, and some of the pairs may be from it.
    """
    if any((parent / "shared" / "data").is_dir() for parent in Path(__file__).resolve().parents):
        raise SystemExit("the human-labelled data is beside this checkout: record in a clone without it")
    known = recorded() if RECORDING.exists() else {}
    for pair in pairs() if known else ():
        yield pair, known.pop(digest(pair))
    for file in folder.glob("*.json"):
        (task, texts), outputs = json.loads(file.read_bytes())
        yield (task, tuple(texts)), tuple(outputs)


def write(found: Iterable[tuple[Pair, Outputs]]) -> None:
    """Write both files."""
    rows = sorted((digest(pair), pair, outputs) for pair, outputs in found)
    most = max(len(outputs) for _, _, outputs in rows)
    np.savez_compressed(
        RECORDING,
        allow_pickle=False,
        made_with=np.array(made_with()),
        digests=np.frombuffer(b"".join(name for name, _, _ in rows), np.uint8).reshape(len(rows), -1),
        outputs=np.array([[*outputs, *[0.0] * (most - len(outputs))] for _, _, outputs in rows], np.float32),
        counts=np.array([len(outputs) for _, _, outputs in rows], np.uint8),
    )
    with TEXTS.open("wb") as raw, gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed:
        packed.write(json.dumps([pair for _, pair, _ in rows]).encode("ascii"))


if __name__ == "__main__":
    write(of_session(Path(sys.argv[1])) if sys.argv[1:] else read(pairs()))
