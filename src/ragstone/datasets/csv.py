"""CSV: a header of field names, then one row per record; cells are separated by comma, semicolon, tab or bar.

The separator is the one that yields the most known field names in the header. A row that is not UTF-8 is read as
Windows-1252, which Excel writes, where it can be that. A record may span
lines where its cells are quoted. A record with more or fewer cells than the header is reported, not shifted
into place. Lists in cells are read by `rows.cells`.
"""

import csv
import zlib
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import IO

from ragstone.datasets.files.source import Source
from ragstone.datasets.files.text import (
    LONGEST_ROW,
    MOST_VALUES,
    characters,
    decode_windows_1252,
    find_text_problem,
    truncated_row,
)
from ragstone.datasets.rows.cells import DEEPEVAL_COLUMN, looks_joined
from ragstone.datasets.rows.field_names import ALIASES, count_known_columns, normalize_name
from ragstone.datasets.rows.row import BadRow, RawRow
from ragstone.errors import BadDataset

_NO_CELLS: list[str] = []
_SEPARATORS = ",;\t|"
_MAX_CELL_SIZE = 16 * 1024 * 1024
_MAX_HEADER_SIZE = 1024 * 1024
_LIST_COLUMNS = frozenset(name for field in ("retrieval_context", "context") for name in ALIASES[field])


def rows(source: Source) -> Iterator[RawRow | BadRow]:
    """Yield the records of `source` under the names of its header."""
    # The limit is global to the process, and passages may be longer: it is raised, never lowered.
    csv.field_size_limit(max(csv.field_size_limit(), _MAX_CELL_SIZE))
    with characters(source) as stream:
        lines = _Lines(stream)
        records, names = _read_header(source, lines)
        while True:
            place = f"line {lines.number + 1}"
            lines.begin_record()
            try:
                cells = next(records, None)
            except _RecordTooLong as error:
                yield truncated_row(source.name, place, error)
                return
            except csv.Error as error:
                yield _malformed_row(source.name, place, error)
                continue
            except (OSError, EOFError, zlib.error) as error:
                yield truncated_row(source.name, place, error)
                return
            if cells is None:
                return
            if any(cells):
                yield _row(source.name, place, names, cells)


def _read_header(opened: Source, lines: "_Lines") -> tuple[Iterator[list[str]], list[str]]:
    """Return the records after the header, and the header's names."""
    source = opened.name
    try:
        first = lines.first()
        lines.separator = max(_SEPARATORS, key=partial(_separator_rank, first, opened.columns))
        records = csv.reader(lines, delimiter=lines.separator, strict=True)
        header = decode_windows_1252(next(records, _NO_CELLS))
    except (csv.Error, OSError, EOFError, zlib.error) as error:
        problem = f"{source}, line {lines.number}: the header cannot be read: {error}."
        raise BadDataset(f"{problem} Name the columns in the first line.") from None
    bad = find_text_problem(source, "line 1", " ".join(header))
    if bad:
        raise BadDataset(str(bad))
    return records, _names(source, header, opened.columns)


class _RecordTooLong(Exception):  # noqa: N818  (reads as what happened)
    """A record that is too long to be a row, perhaps without an end."""


class _Lines:
    """The lines of a text, counted, so that the line on which each record begins is known.

    A record may have up to `LONGEST_ROW` characters, the line of the header up to `_MAX_HEADER_SIZE`.
    """

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._pending_line = ""
        self._character_count = self._separator_count = 0
        self.number = 0
        self.separator = _SEPARATORS[0]

    def begin_record(self) -> None:
        """Reset the counts of characters and cells for the next record."""
        self._character_count = self._separator_count = 0

    def first(self) -> str:
        """Return the header line, skipping blank lines and Excel's `sep=;`; iteration yields it again."""
        for line in iter(lambda: self._stream.readline(_MAX_HEADER_SIZE), ""):
            self._pending_line = line
            if len(line) >= _MAX_HEADER_SIZE:
                raise csv.Error(f"it is longer than {_MAX_HEADER_SIZE:,} characters")
            if line.strip() and not line.lower().startswith("sep="):
                break
            self.number += 1
        return self._pending_line

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        line, self._pending_line = self._pending_line or self._stream.readline(LONGEST_ROW), ""
        if not line:
            raise StopIteration
        self._character_count += len(line)
        if self._character_count >= LONGEST_ROW:
            raise _RecordTooLong(f"a row is longer than {LONGEST_ROW:,} characters")
        self._separator_count += line.count(self.separator)
        if self._separator_count > MOST_VALUES:
            raise _RecordTooLong(f"a row contains more than {MOST_VALUES:,} separators")
        self.number += 1
        return line


def _separator_rank(header: str, columns: frozenset[str], separator: str) -> tuple[int, int]:
    names = next(csv.reader([header], delimiter=separator), _NO_CELLS)
    return count_known_columns(names) + len(columns & {name.strip() for name in names}), len(names)


def _names(source: str, header: list[str], columns: frozenset[str] = frozenset()) -> list[str]:
    names = [name.strip() or f"column {number}" for number, name in enumerate(header, start=1)]
    shown_names = ", ".join(repr(name[:40]) for name in names[:12])
    if not count_known_columns(names) and not columns and not {"task", "text"} <= set(names):
        problem = f"{source}, line 1: the header {shown_names} contains no field of a test case."
        raise BadDataset(
            f"{problem} Name the columns input, actual_output, expected_output, retrieval_context, or use "
            "--map input=COLUMN."
        )
    duplicates = [name for name, count in Counter(names).items() if count > 1]
    if duplicates:
        raise BadDataset(
            f"{source}, line 1: the header contains {min(duplicates)!r} twice. Give each column a unique name."
        )
    return names


def _row(source: str, place: str, names: list[str], cells: list[str]) -> RawRow | BadRow:
    if len(cells) != len(names):
        problem = f"the row has {len(cells)} cells, but the header has {len(names)}."
        instead = "Put double quotes around cells that contain the separator or line breaks."
        return BadRow(source, place, problem, instead)
    cells = decode_windows_1252(cells)
    for name, cell in zip(names, cells, strict=True):
        bad = find_text_problem(source, f"{place}, column {name!r}", cell)
        if bad:
            return bad
    joined = (
        "always" if DEEPEVAL_COLUMN in names else "perhaps" if set(names) >= _DEEPEVAL_COLUMNS else "never"
    )
    return RawRow(place, {name: _cell(name, cell, joined) for name, cell in zip(names, cells, strict=True)})


_DEEPEVAL_COLUMNS = frozenset({"input", "actual_output", "expected_output", "retrieval_context"})
"""Columns of a table that DeepEval may have saved: there, `|` may join passages."""


def _cell(name: str, cell: str, joined: str) -> object:
    """Return the value of a cell: a text, or in a column of lists a list of one for a plain text.

    Whether `|` joins passages is `always`, `perhaps` or `never` so in a table.
    """
    if not cell.strip():
        return None
    if normalize_name(name) not in _LIST_COLUMNS or cell.lstrip().startswith(("[", "array(")):
        return cell
    is_joined = joined == "always" or (joined == "perhaps" and looks_joined(cell))
    return cell.split("|") if is_joined else [cell]


def _malformed_row(source: str, place: str, error: csv.Error) -> BadRow:
    if "field limit" in str(error):
        problem = f"a cell is longer than {_MAX_CELL_SIZE // 1024**2} MB; perhaps a closing quote is missing."
        return BadRow(source, place, problem, "Close each quoted cell with a double quote.")
    problem = f"the quotes do not match: {error}."
    return BadRow(source, place, problem, 'Double each quote inside a quoted cell: "a ""quoted"" word".')
