"""Laws about SECURITY.md: every promise names tests, and they exist."""

import re
from pathlib import Path

from tests.testing.for_each import for_each

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
TRUST, _, PROMISES = TEXT.partition("## What is promised")
NAMED = sorted(set(re.findall(r"`(tests/[^`]*)`", TEXT)))


@for_each("name", NAMED)
def test_a_test_that_a_promise_names_exists(name: str) -> None:
    path = ROOT / name
    files = sorted(path.rglob("test_*.py")) if path.is_dir() else [path]
    assert any("def test_" in file.read_text(encoding="utf-8") for file in files if file.is_file())


def test_every_promise_of_a_table_names_a_test() -> None:
    rows = [
        line for line in PROMISES.splitlines() if line.startswith("| ") and not line.startswith("| promise")
    ]
    assert len(rows) >= 12
    assert [row for row in rows if "`tests/" not in row] == []


def test_every_cell_of_the_table_of_trust_names_a_test_or_a_right() -> None:
    rows = [line.strip("| ").split(" | ") for line in TRUST.splitlines() if line.startswith("| ")]
    header, *cells = rows
    assert len(cells) >= 8
    for row in cells:
        assert len(row) == len(header), row
        untested = [cell for cell in row[1:] if "`tests/" not in cell]
        assert [cell for cell in untested if not cell.startswith(("yes: ", "not prevented"))] == [], row
