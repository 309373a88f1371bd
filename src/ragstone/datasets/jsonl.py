"""JSON lines: one row per line. Lines are independent, so a broken one does not affect the others."""

from collections.abc import Iterator

from ragstone.datasets.files.source import Source
from ragstone.datasets.files.text import LONGEST_ROW, parse_lines, parse_row
from ragstone.datasets.rows.row import BadRow, RawRow


def rows(source: Source) -> Iterator[RawRow | BadRow]:
    """Yield the rows of `source`; blank lines are skipped."""
    return parse_lines(source, LONGEST_ROW, parse_row)
