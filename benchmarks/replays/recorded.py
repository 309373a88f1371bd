"""Rows of a recorded data set: one JSON object per line, gzipped."""

import gzip
import json
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
"""Folder of the human-labelled data beside a checkout; tests that need it are skipped without it."""


def read(name: str, folder: Path = DATA) -> list[dict[str, Any]]:
    """Return the rows of `name`, such as `openqa_nq301`."""
    with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
