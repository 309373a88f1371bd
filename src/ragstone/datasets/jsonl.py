"""JSON lines: one row a line. Each line stands for itself, so a broken one never touches its neighbours."""

import zlib
from collections.abc import Iterator

from ragstone.datasets._parse import parse_row
from ragstone.datasets._row import BadRow, Row
from ragstone.datasets._source import Source
from ragstone.datasets._text import characters, cut_short


def rows(source: Source) -> Iterator[Row | BadRow]:
    """Yield the rows of `source`; blank lines are passed over."""
    number = 0
    with characters(source) as lines:
        try:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield parse_row(source.name, f"line {number}", line)
        except (OSError, EOFError, zlib.error) as error:
            yield cut_short(source.name, f"after line {number}", error)
