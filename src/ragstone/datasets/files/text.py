"""Text in rows: decoding of bytes, and checks for what no row may contain."""

import io
import json
import re
import zlib
from collections.abc import Callable, Iterator
from typing import IO, Any, TypeVar, cast

from ragstone.datasets.files.source import Source, encoding
from ragstone.datasets.rows.row import BadRow, RawRow

T = TypeVar("T")

LONGEST_ROW = 16 * 1024 * 1024
"""Most characters of a row: a longer one is not a test case, and might have no end."""

MOST_VALUES = 1_000_000
"""Most values in a row. Each takes up to twenty times as much memory as its text, such as `{}`."""

_THREE_UNDECODABLE = re.compile("[\udc80-\udcff]{3}")
_UNDECODABLE_BYTE = re.compile("[\udc80-\udcff]")  # where Python puts bytes that are not UTF-8


def characters(source: Source) -> IO[str]:
    """Return the source as text, line ends as they are; `find_text_problem` reports bytes that are not UTF-8."""
    charset = encoding(source.head)
    errors = "replace" if charset == "utf-16" else "surrogateescape"
    return io.TextIOWrapper(source.stream, encoding=charset, errors=errors, newline="")


def find_text_problem(source: str, place: str, text: str) -> BadRow | None:
    """Return the report on a row's text that holds NUL or bytes in another encoding, None where it is fit."""
    if "\0" in text:
        position = text.index("\0") + 1
        instead = "Remove it. If there are many, the file is binary, or UTF-16 without a byte order mark."
        return BadRow(source, place, f"there is a NUL byte at character {position}.", instead)
    match = None if text.isascii() else _UNDECODABLE_BYTE.search(text)
    if match is None:
        return None
    byte = f"byte 0x{ord(match[0]) - 0xDC00:02x} at character {match.start() + 1}"
    instead = "Save the file as UTF-8 (it may be Latin-1 or Windows-1252)."
    return BadRow(source, place, f"{byte} is not UTF-8.", instead)


def decode_windows_1252(texts: list[str]) -> list[str]:
    """Return the cells of a row, decoded as Windows-1252 where that is what Excel wrote; otherwise unchanged.

    It is if no byte of the row belongs to a character of UTF-8, and never three bytes above 127 stand together, as they
    do in encodings of other scripts.
    """
    row = "\n".join(texts)
    if row.isascii() or not _UNDECODABLE_BYTE.search(row):
        return texts
    if not _UNDECODABLE_BYTE.sub("", row).isascii() or _THREE_UNDECODABLE.search(row):
        return texts
    try:
        return [text.encode("utf-8", "surrogateescape").decode("cp1252") for text in texts]
    except UnicodeDecodeError:  # one of five bytes that Windows-1252 does not use
        return texts


def has_too_many_values(text: str, start: int = 0) -> bool:
    """Return whether the list or mapping at `start` may hold too many values, judging by its commas and brackets."""
    if len(text) - start <= MOST_VALUES:
        return False
    return sum(text.count(character, start) for character in ",[{") > MOST_VALUES


def truncated_row(source: str, place: str, why: object) -> BadRow:
    """Return the report on a source that cannot be read to its end."""
    return BadRow(source, place, f"the rest cannot be read: {why}.", "Save or download the file again.")


def parse_lines(
    source: Source, longest: int, parse: Callable[[str, str, str], T | BadRow]
) -> Iterator[T | BadRow]:
    """Yield the result of `parse` for each line, called with the source's name, the place and the line.

    Blank lines are skipped. A truncated source, or a line longer than `longest`, ends the rows with a report.
    """
    number = 0
    with characters(source) as lines:
        try:
            for number, line in enumerate(iter(lambda: lines.readline(longest), ""), start=1):
                if len(line) == longest and not line.endswith("\n"):
                    why = f"line {number} is longer than {longest:,} characters"
                    yield truncated_row(source.name, f"line {number}", why)
                    return
                if line.strip():
                    yield parse(source.name, f"line {number}", line)
        except (OSError, EOFError, zlib.error) as error:
            yield truncated_row(source.name, f"after line {number}", error)


def parse_row(source: str, place: str, text: str) -> RawRow | BadRow:
    """Return the row in one JSON text, or a report on why it cannot be read."""
    bad = find_text_problem(source, place, text)
    if bad:
        return bad
    if has_too_many_values(text):
        problem = f"the row contains more than {MOST_VALUES:,} values."
        return BadRow(source, place, problem, "Put fewer values into one row.")
    try:
        value: Any = json.loads(text)
    except json.JSONDecodeError as error:
        position = f"character {error.pos + 1}"
        problem = f"this is not valid JSON: {error.msg} at {position}, in {_excerpt(text, error.pos)}."
        return BadRow(
            source, place, problem, 'Write one JSON object, such as {"input": "…", "actual_output": "…"}.'
        )
    except (ValueError, RecursionError) as error:
        return BadRow(source, place, f"this JSON cannot be read: {error}.", "Write a simpler object.")
    if not isinstance(value, dict):
        problem = f"a JSON object is expected, not {_excerpt(text, 0)}."
        return BadRow(source, place, problem, 'Write {"input": "…", "actual_output": "…"}.')
    return RawRow(place, cast("dict[str, Any]", value))


def _excerpt(text: str, position: int, width: int = 30) -> str:
    start = max(0, position - width // 2)
    return repr(text[start : start + width].strip())
