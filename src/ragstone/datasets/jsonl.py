"""JSON lines: one row a line. Each line stands for itself, so a broken one never touches its neighbours."""

import zlib
from collections.abc import Iterator

from ragstone.datasets.files.json_row import parse_row
from ragstone.datasets.files.source import Source
from ragstone.datasets.files.text import LONGEST_ROW, characters, truncated_row
from ragstone.datasets.rows.row import BadRow, RawRow


def rows(source: Source) -> Iterator[RawRow | BadRow]:
    """Yield the rows of `source`; blank lines are passed over."""
    number = 0
    with characters(source) as lines:
        try:
            for number, line in enumerate(iter(lambda: lines.readline(LONGEST_ROW), ""), start=1):
                if len(line) == LONGEST_ROW and not line.endswith("\n"):
                    why = f"line {number} is longer than {LONGEST_ROW:,} characters"
                    yield truncated_row(source.name, f"line {number}", why)
                    return
                if line.strip():
                    yield parse_row(source.name, f"line {number}", line)
        except (OSError, EOFError, zlib.error) as error:
            yield truncated_row(source.name, f"after line {number}", error)
