"""The human-labelled sets: their names, which of them may train shipped weights, and the test split.

A row's split depends only on its context, so a context that occurs in several sets is on the same side in
all of them. A quarter of all contexts is test: chosen before the first look, and its rows are never
inspected.
"""

import gzip
import hashlib
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(os.environ.get("RAGSTONE_LABELLED_DATA", "../shared/data"))
TRAINED = (
    "begin", "faithdial_audit", "factcheckbench_stance", "wice", "summedits_dev", "fever_symmetric", "taxinli",
)  # fmt: skip
"""Support sets that may train shipped weights (wice joins its claim and its token file)."""
MEASURED = ("begin_test", "xsumfaith")
"""Support sets that are measured only."""
ALLOWED = re.compile(
    r"^(CC-BY-4\.0|CDLA-Sharing-1\.0|MIT|Apache-2\.0|C-UDA-1\.0|CC-BY-SA-3\.0|annotations ODC-BY)"
)
_FILES = {"begin_test": ["begin"], "wice": ["wice_claims_dev", "wice_tokens"]}


@dataclass(frozen=True, slots=True)
class Row:
    """One human judgement: is `text` supported by `passages`?

    Attributes:
        name: the set it comes from.
        passages: the evidence.
        text: what is judged.
        label: 1 for fully supported, else 0.
        contradicted: whether the evidence speaks against it; None if the set does not label this.
        group: hash of the context: rows that share it are resampled and split together.
        raw: the row as it was read.
    """

    name: str
    passages: tuple[str, ...]
    text: str
    label: int
    contradicted: bool | None
    group: str
    raw: dict[str, Any]

    @property
    def test(self) -> bool:
        """Whether the row is in the test split, which nobody inspects."""
        return int(self.group[:8], 16) % 4 == 0


def read(file: str) -> Iterator[dict[str, Any]]:
    """Read one file of the folder of labelled data."""
    with gzip.open(FOLDER / f"{file}.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def support_rows(name: str) -> list[Row]:
    """Return the rows of one support set.

    Raises:
        ValueError: a set for training holds a row whose licence is not on the list.
    """
    rows = [_row(name, raw) for file in _FILES.get(name, [name]) for raw in read(file)]
    if name == "begin":
        rows = [row for row in rows if row.raw["split"] == "dev"]
    if name == "begin_test":
        rows = [row for row in rows if row.raw["split"] == "test"]
    if name in TRAINED:
        for row in rows:
            if not ALLOWED.match(row.raw["license"]):
                raise ValueError(
                    f"{name}: licence {row.raw['license']!r} does not allow training; measure only"
                )
    return rows


def kept_from_encoder(group: str) -> bool:
    """Whether rows of this context are excluded from the encoder's training, so that it can be measured on them."""
    return int(group[-1], 16) < 6


def _row(name: str, raw: dict[str, Any]) -> Row:
    context = raw["context"]
    passage = "\n".join(context) if isinstance(context, list) else context
    return Row(
        name, (passage,), raw["text"], int(raw["label"]), _contradicted(name, raw), group_of(passage), raw
    )


def group_of(context: str) -> str:
    """Return the hash by which a context is split and resampled; it ignores blanks and case."""
    return hashlib.sha256(f"ragstone-split-1|{' '.join(context.lower().split())}".encode()).hexdigest()


def _contradicted(name: str, raw: dict[str, Any]) -> bool | None:
    raw_label = raw.get("label_raw")
    if raw["label"] == 1:
        return False
    if name == "fever_symmetric":
        return raw_label == "REFUTES"
    if name == "taxinli":
        return raw_label == "contradiction"
    if name == "factcheckbench_stance":
        return raw_label == "refute"
    return None
