"""Renderings held against files, so that a changed look shows in the diff.

`RAGSTONE_UPDATE_REPORTS=1 pytest tests/findings tests/show` writes them anew, and the example in the documentation
with them.
"""

import os
from pathlib import Path

FOLDER = Path(__file__).parent / "snapshots"


def holds(name: str, text: str) -> bool:
    path = FOLDER / name
    if os.environ.get("RAGSTONE_UPDATE_REPORTS"):
        path.write_text(text, encoding="utf-8")
    kept = path.read_text(encoding="utf-8")
    assert text == kept, (
        f"{path} differs. If the new look is right, run this test with RAGSTONE_UPDATE_REPORTS=1"
    )
    return True


def shows(page: Path, text: str) -> bool:
    """Whether the first example on a page of the documentation is `text`."""
    before, example, after = page.read_text(encoding="utf-8").partition("```text\n")
    old, fence, rest = after.partition("```\n")
    if os.environ.get("RAGSTONE_UPDATE_REPORTS"):
        page.write_text(f"{before}{example}{text}{fence}{rest}", encoding="utf-8")
        return True
    return text == old
