"""JSON: an array of rows, or an object that holds one under `results`, `data`, `test_cases` and the like.

An array is streamed: a file of a million rows takes the memory of one. An object without such an array is one
row, or, if every value is a list of the same length, a table of columns. Rows that are lists are named by the `columns`
before them, as pandas writes them with `orient="split"`.
"""

import json
import zlib
from collections.abc import Iterator, Sequence
from typing import Any, cast

from ragstone.datasets.files.json_elements import ArrayElement, BrokenArray, JsonArrayScanner
from ragstone.datasets.files.json_row import parse_row
from ragstone.datasets.files.source import Source
from ragstone.datasets.files.text import LONGEST_ROW, characters, find_text_problem, truncated_row
from ragstone.datasets.rows.row import BadRow, RawRow
from ragstone.datasets.rows.shapes import columns

WRAPPERS = {"results", "data", "rows", "examples", "samples", "test_cases", "testCases", "goldens"}


def rows(source: Source) -> Iterator[RawRow | BadRow]:
    """Yield the rows of `source`; a broken element is reported, and those after it are still read."""
    with characters(source) as stream:
        scanner = JsonArrayScanner(stream)
        try:
            if scanner.peek() == "[":
                yield from _array(source.name, scanner)
            while scanner.peek() == "{":
                yield from _object(source.name, scanner)
            if scanner.peek():
                yield truncated_row(
                    source.name,
                    f"line {scanner.line}",
                    f"there is {scanner.take()!r} after the end of the JSON",
                )
        except BrokenArray as error:
            yield truncated_row(source.name, f"line {error.line}", error)
        except (OSError, EOFError, zlib.error) as error:
            yield truncated_row(source.name, f"line {scanner.line}", error)


def _array(source: str, scanner: JsonArrayScanner, names: Sequence[str] = ()) -> Iterator[RawRow | BadRow]:
    scanner.take()
    for number, item in enumerate(scanner.items(), start=1):
        yield _row(source, f"item {number}, line {item.line}", item, names)


def _row(source: str, place: str, item: ArrayElement, names: Sequence[str]) -> RawRow | BadRow:
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


def _object(source: str, scanner: JsonArrayScanner) -> Iterator[RawRow | BadRow]:
    """Yield the rows under a wrapper's name, or the object itself where it has none."""
    line = scanner.line
    scanner.take()
    members: dict[str, str] = {}
    wrapped = False
    size = 0
    while scanner.peek() not in {"}", ""}:
        key = scanner.key()
        if key in WRAPPERS and scanner.peek() == "[":
            wrapped = True
            yield from _array(source, scanner, _names(members.get("columns", "")))
        else:
            members[key] = scanner.value_text()
            size += len(key) + len(members[key])
        if size > LONGEST_ROW:
            raise BrokenArray(scanner.line, f"the object is longer than {LONGEST_ROW:,} characters")
        if scanner.peek() == ",":
            scanner.take()
    if scanner.take() != "}":
        raise BrokenArray(scanner.line, "the object has no closing bracket")
    if not wrapped:
        yield from _member_rows(source, line, members)


def _names(text: str) -> list[str]:
    """Return the names in a JSON list; none if it is no list."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return []
    return [str(name) for name in cast("list[object]", value)] if isinstance(value, list) else []


def _member_rows(source: str, line: int, members: dict[str, str]) -> Iterator[RawRow | BadRow]:
    # Reassembled rather than parsed member by member, so that one function reports what is wrong with a row.
    text = ", ".join(f'"{name}": {value}' for name, value in members.items())
    row = parse_row(source, f"line {line}", f"{{{text}}}")
    table = columns(row.values) if isinstance(row, RawRow) else None
    if table is None:
        yield row
        return
    for number, values in enumerate(table, start=1):
        yield RawRow(f"row {number}", values)
