"""Renderings held against files, so that a changed look shows in the diff.

`RAGSTONE_UPDATE_REPORTS=1 pytest tests/reports` writes them anew.
"""

import os
from pathlib import Path

FOLDER = Path(__file__).parent / "snapshots"


def holds(name: str, text: str) -> bool:
    path = FOLDER / name
    if os.environ.get("RAGSTONE_UPDATE_REPORTS"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
    return True
