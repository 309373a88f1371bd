"""Streaming reader of the elements of one JSON array of any length.

The fast path lets Python's own scanner read an element that lies whole in the buffer. Where that fails, the
end of the element is found from its brackets and strings alone, which also works for a *broken* element: its
text is yielded unparsed, and the elements after it are still read. The buffer holds one element and one
block of the file.
"""

import json
import re
import zlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import IO, Any, NamedTuple

from ragstone.datasets.files.source import Source
from ragstone.datasets.files.text import LONGEST_ROW, characters, has_too_many_values, truncated_row
from ragstone.datasets.rows.row import BadRow

BLOCK = 65_536
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+(?P<closed>"?)|[\[\]{},]', re.DOTALL)
_BLANK = re.compile(r"[\s\ufeff]*")
_RAW_DECODE = json.JSONDecoder().raw_decode


@dataclass(frozen=True, slots=True)
class ArrayElement:
    """One element: the line it begins on, its text, and its value if the fast path parsed it."""

    line: int
    text: str
    value: Any = None
    parsed: bool = False


class BrokenArray(Exception):  # noqa: N818  (reads as what happened)
    """The elements after this line cannot be separated: the text ends, or brackets do not match."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line


class ScannedValue(NamedTuple):
    """An element with its number in its array, 0 for an object of its own.

    For an array inside an object also the name of the array, and the texts of the members before it.
    """

    element: ArrayElement
    number: int = 0
    name: str = ""
    members: Mapping[str, str] = {}


def scan(source: Source, lists: Collection[str], longest: int) -> Iterator[ScannedValue | BadRow]:
    """Yield the elements of the arrays and the objects in a JSON text, and a report where the rest cannot be read.

    Of an object with an array named in `lists`, that array's elements are yielded; other ones have at most `longest`
    characters.
    """
    with characters(source) as stream:
        scanner = JsonArrayScanner(stream)
        try:
            if scanner.peek() == "[":
                scanner.take()
                yield from (
                    ScannedValue(item, number) for number, item in enumerate(scanner.items(), start=1)
                )
            while scanner.peek() == "{":
                yield from scanner.members(lists, longest)
            if scanner.peek():
                why = f"there is {scanner.take()!r} after the end of the JSON"
                yield truncated_row(source.name, f"line {scanner.line}", why)
        except BrokenArray as error:
            yield truncated_row(source.name, f"line {error.line}", error)
        except (OSError, EOFError, zlib.error) as error:
            yield truncated_row(source.name, f"line {scanner.line}", error)


class JsonArrayScanner:
    """A forward-only scanner of a JSON text."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._buffer = ""
        self._position = 0
        self.line = 1

    def peek(self) -> str:
        """Return the next non-blank character without consuming it; an empty text at the end."""
        while True:
            end = _BLANK.match(self._buffer, self._position).end()  # type: ignore[union-attr]  # pyright: ignore[reportOptionalMemberAccess]  (a pattern that matches anything)
            self._advance(end)
            if self._position < len(self._buffer):
                return self._buffer[self._position]
            if not self._read_block():
                return ""

    def take(self) -> str:
        """Consume and return the next non-blank character."""
        character = self.peek()
        self._advance(self._position + len(character))
        return character

    def items(self) -> Iterator[ArrayElement]:
        """Yield the elements of the array whose opening bracket was consumed, up to its closing bracket."""
        while self.peek() not in {"]", "}", ""}:
            yield self._parse_in_buffer() or ArrayElement(self.line, self.value_text())
            if self.peek() == ",":
                self.take()
        if self.take() != "]":
            raise BrokenArray(self.line, "the array has no closing bracket")

    def key(self) -> str:
        """Return the next name in an object; consume it and its colon."""
        while self.peek() == '"':
            token = _TOKEN.match(self._buffer, self._position)
            if token and token["closed"]:
                self._advance(token.end())
                if self.take() == ":":
                    return token[0][1:-1]
                break
            if not self._read_block():
                break
        raise BrokenArray(self.line, "a key in quotes and a colon are expected")

    def value_text(self) -> str:
        """Consume the next value and return its text."""
        self.peek()
        end = self._end_of_value()
        text = self._buffer[self._position : end]
        self._advance(end)
        return text

    def members(self, lists: Collection[str], longest: int) -> "Iterator[ScannedValue]":
        """Consume an object, and yield the elements of the arrays in `lists`, or the object if it has none of these.

        It is put together from its members, so that one function reports what is wrong with an object.
        """
        line, members, size, streamed = self.line, dict[str, str](), 0, False
        self.take()
        while self.peek() not in {"}", ""}:
            key = self.key()
            if key in lists and self.peek() == "[":
                streamed = True
                self.take()
                for number, item in enumerate(self.items(), start=1):
                    yield ScannedValue(item, number, key, members)
            else:
                members[key] = self.value_text()
                size += len(key) + len(members[key])
            if size > longest:
                raise BrokenArray(self.line, f"the object is longer than {longest:,} characters")
            if self.peek() == ",":
                self.take()
        if self.take() != "}":
            raise BrokenArray(self.line, "the object has no closing bracket")
        if not streamed:
            text = ", ".join(f'"{name}": {value}' for name, value in members.items())
            yield ScannedValue(ArrayElement(line, f"{{{text}}}"))

    def _parse_in_buffer(self) -> ArrayElement | None:
        if self._buffer[self._position] != "{" or has_too_many_values(self._buffer, self._position):
            return None
        try:
            value, end = _RAW_DECODE(self._buffer, self._position)
        except (ValueError, RecursionError):
            return None
        text, line = self._buffer[self._position : end], self.line
        self._advance(end)
        return ArrayElement(line, text, value, parsed=True)

    def _end_of_value(self) -> int:
        depth, position = 0, self._position
        while True:
            token = _TOKEN.search(self._buffer, position)
            if token is None or token["closed"] == "":
                position = token.start() if token else len(self._buffer)
                old_position = self._position
                if not self._read_block():
                    raise BrokenArray(self.line, "the text ends inside a value")
                position -= old_position - self._position
                continue
            symbol = token[0]
            if symbol in {",", "]", "}"} and depth == 0:
                return token.start()
            depth += (symbol in {"[", "{"}) - (symbol in {"]", "}"})
            position = token.end()
            if depth == 0 and symbol in {"]", "}"}:
                return position

    def _read_block(self) -> bool:
        """Discard consumed text and read a block, at least half as long as the rest, so that the time stays linear."""
        if len(self._buffer) - self._position >= LONGEST_ROW:
            raise BrokenArray(self.line, f"a value is longer than {LONGEST_ROW:,} characters")
        block = self._stream.read(max(BLOCK, (len(self._buffer) - self._position) // 2))
        self._buffer = self._buffer[self._position :] + block
        self._position = 0
        return bool(block)

    def _advance(self, end: int) -> None:
        self.line += self._buffer.count("\n", self._position, end)
        self._position = end
