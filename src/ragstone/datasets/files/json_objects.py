"""The JSON objects of a file, one at a time: one per line, the elements of an array, or a single long object.

For an object such as `{"resourceSpans": […]}` each element of the named list is yielded as an object of its own, so
that a file of one object takes no more memory than one of many lines.
"""

import json
import zlib
from collections.abc import Collection, Iterator
from typing import Any, NamedTuple, cast

from ragstone.datasets.files.json_elements import ArrayElement, BrokenArray, JsonArrayScanner
from ragstone.datasets.files.source import Source
from ragstone.datasets.files.text import characters, parse_lines, truncated_row
from ragstone.datasets.rows.row import BadRow

LONGEST_LINE = 64 * 1024 * 1024
"""Most characters of a line: a batch of spans is longer than a row."""


class PlacedObject(NamedTuple):
    """A JSON object and its position, such as `line 7`."""

    place: str
    value: dict[str, Any]


def objects(source: Source, lists: Collection[str]) -> Iterator[PlacedObject | BadRow]:
    """Yield the objects of `source`, and a report in the place of each that cannot be read.

    Args:
        source: the opened file.
        lists: names of lists whose elements are objects of their own.
    """
    first = source.head.lstrip(b"\xef\xbb\xbf \t\r\n")
    line, _, rest = first.partition(b"\n")
    one_per_line = line.rstrip().endswith(b"}") and (not rest.strip() or rest.lstrip().startswith(b"{"))
    too_long = not rest and len(first) > 1 and b"\n" not in first and first[:1] == b"{"
    if first[:1] == b"{" and (one_per_line or too_long):
        yield from parse_lines(source, LONGEST_LINE, _parse_object)
    else:
        yield from _scan_objects(source, lists)


def _scan_objects(source: Source, lists: Collection[str]) -> Iterator[PlacedObject | BadRow]:
    with characters(source) as stream:
        scanner = JsonArrayScanner(stream)
        try:
            if scanner.peek() == "[":
                scanner.take()
                yield from (_element(source.name, item) for item in scanner.items())
            while scanner.peek() == "{":
                yield from _read_object(source.name, scanner, lists)
            if scanner.peek():
                why = f"there is {scanner.take()!r} after the end of the JSON"
                yield truncated_row(source.name, f"line {scanner.line}", why)
        except BrokenArray as error:
            yield truncated_row(source.name, f"line {error.line}", error)
        except (OSError, EOFError, zlib.error) as error:
            yield truncated_row(source.name, f"line {scanner.line}", error)


def _read_object(
    source: str, scanner: JsonArrayScanner, lists: Collection[str]
) -> Iterator[PlacedObject | BadRow]:
    line = scanner.line
    scanner.take()
    members: dict[str, str] = {}
    streamed = False
    while scanner.peek() not in {"}", ""}:
        key = scanner.key()
        if key in lists and scanner.peek() == "[":
            streamed = True
            scanner.take()
            for item in scanner.items():
                entry = _element(source, item)
                yield entry._replace(value={key: [entry.value]}) if isinstance(entry, PlacedObject) else entry
        else:
            members[key] = scanner.value_text()
        if scanner.peek() == ",":
            scanner.take()
    if scanner.take() != "}":
        raise BrokenArray(scanner.line, "the object has no closing bracket")
    if not streamed:
        text = ", ".join(f'"{name}": {value}' for name, value in members.items())
        yield _parse_object(source, f"line {line}", f"{{{text}}}")


def _element(source: str, item: ArrayElement) -> PlacedObject | BadRow:
    if item.parsed:
        return PlacedObject(f"line {item.line}", cast("dict[str, Any]", item.value))
    return _parse_object(source, f"line {item.line}", item.text)


def _parse_object(source: str, place: str, text: str) -> PlacedObject | BadRow:
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        return BadRow(source, place, f"this JSON cannot be read: {error}.", "Export the traces again.")
    if not isinstance(value, dict):
        return BadRow(source, place, "a JSON object is expected.", "Export the traces again.")
    return PlacedObject(place, cast("dict[str, Any]", value))
