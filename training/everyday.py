"""Measure the embedded judge on everyday claims, and write the figure beside its weights.

    python -m training.everyday everyday_dev.jsonl.gz     `make agreement` prints the table, and writes nothing

Every report by the embedded judge quotes the figure; a test holds it to the weights that it was measured with.
"""

import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ragstone.judges.local.accuracy import FILE, EverydayAccuracy
from ragstone.judges.local.model import weights
from ragstone.judges.local.support import support
from training import labelled_data
from training.claim_table import WordsAlone, claim_lines
from training.claims import Claim
from training.measures import interval

FOLDER = Path(weights.__file__).parents[1]
CLAIMS = labelled_data.FOLDER / "everyday_dev.jsonl.gz"
_WORDS_ALONE = WordsAlone(0.523, 0.337)


def lines(path: Path = CLAIMS) -> Iterator[str]:
    """Yield the accuracy on everyday claims; each domain is resampled as a whole, as for the figure in the file."""
    rows = [
        Claim(
            id=row["subset"],
            writer="",
            domain=row["subset"],
            language="en",
            passages=tuple(row["context"]),
            question=row.get("question") or "",
            text=row["text"],
            label=row["label_raw"],
            kind=row["kind"],
        )
        for row in _rows(path)
    ]
    yield from claim_lines("everyday claims", rows, _WORDS_ALONE)


def _rows(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def measured(path: Path) -> EverydayAccuracy:
    """Return coverage and accuracy on a file of labelled claims, one JSON object a line."""
    rows = _rows(path)
    verdicts = [support([row["text"]], row["context"])[0].verdict for row in rows]
    decided = [(row, verdict) for row, verdict in zip(rows, verdicts, strict=True) if verdict != "undecided"]
    right = np.array([(verdict == "yes") == bool(row["label"]) for row, verdict in decided])
    low, high = interval([row["subset"] for row, _ in decided], lambda chosen: float(right[chosen].mean()))
    return EverydayAccuracy(
        claims=len(rows),
        domains=len({row["subset"] for row in rows}),
        coverage=round(len(decided) / len(rows), 4),
        accuracy=round(float(right.mean()), 4),
        low=round(low, 4),
        high=round(high, 4),
        weights=(FOLDER / weights.HASH_FILE).read_text(encoding="utf-8").split()[0],
    )


if __name__ == "__main__":
    figures = measured(Path(sys.argv[1]))
    (FOLDER / FILE).write_text(json.dumps(figures._asdict(), indent=1) + "\n", encoding="utf-8")
    sys.stdout.write(figures.sentence() + "\n")
