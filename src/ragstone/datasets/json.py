"""JSON: an array of rows, or an object that holds one under `results`, `data`, `test_cases` and the like.

An array is streamed: a file of a million rows takes the memory of one. An object without such an array is one
row, or, if every value is a list of the same length, a table of columns. Rows that are lists are named by the `columns`
before them, as pandas writes them with `orient="split"`.
"""

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, cast

from ragstone.datasets.files.json_elements import ScannedValue, scan
from ragstone.datasets.files.source import Source
from ragstone.datasets.files.text import LONGEST_ROW, find_text_problem, parse_row
from ragstone.datasets.rows.row import BadRow, RawRow
from ragstone.datasets.rows.shapes import columns

WRAPPERS = {"results", "data", "rows", "examples", "samples", "test_cases", "testCases", "goldens"}


def rows(source: Source) -> Iterator[RawRow | BadRow]:
    """Yield the rows of `source`; a broken element is reported, and those after it are still read."""
    for entry in scan(source, WRAPPERS, LONGEST_ROW):
        if isinstance(entry, BadRow):
            yield entry
        elif entry.number:
            yield _row(source.name, entry)
        else:
            yield from _object_rows(source.name, entry)


def _row(source: str, entry: ScannedValue) -> RawRow | BadRow:
    item, place = entry.element, f"item {entry.number}, line {entry.element.line}"
    names = _names(entry.members.get("columns", ""))
    if names and item.text.lstrip().startswith("["):
        row = parse_row(source, place, f'{{"row": {item.text}}}')
        if isinstance(row, BadRow):
            return row
        return RawRow(place, dict(zip(names, cast("list[Any]", row.values["row"]), strict=False)))
    if item.parsed:
        return find_text_problem(source, place, item.text) or RawRow(
            place, cast("dict[str, Any]", item.value)
        )
    return parse_row(source, place, item.text)


@lru_cache(maxsize=1)
def _names(text: str) -> list[str]:
    """Return the names in a JSON list; none if it is no list."""
    try:
        value: object = json.loads(text) if text else None
    except (ValueError, RecursionError):
        return []
    return [str(name) for name in cast("list[object]", value)] if isinstance(value, list) else []


def _object_rows(source: str, entry: ScannedValue) -> Iterator[RawRow | BadRow]:
    row = parse_row(source, f"line {entry.element.line}", entry.element.text)
    table = columns(row.values) if isinstance(row, RawRow) else None
    if table is None:
        yield row
    else:
        yield from (RawRow(f"row {number}", values) for number, values in enumerate(table, start=1))
