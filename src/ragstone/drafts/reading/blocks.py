"""The parts of a Markdown passage: sentences of prose, list items and tables, without code."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ragstone.drafts.reading.markdown import blocks_of, plain_inline
from ragstone.text.sentences import sentences

_MAX_READ_CHARS = 3000
_LIST_MARKER = re.compile(r"^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+", re.MULTILINE)
_RULE_CELL = re.compile(r"\s*+:?-++:?\s*+")
_CELL_BORDER = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table of a passage: its columns, its cells without markup, and where each row stands in the passage."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    spans: tuple[tuple[int, int], ...]


def prose(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of the sentences of a passage, without lists, tables, code and headings."""
    for start, end in _blocks(text):
        block = text[start:end]
        if not _LIST_MARKER.match(block) and not _is_table(block) and block[0] not in "#>!<[":
            for first, last in sentences(block):
                yield start + first, start + last


def list_items(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of list items without their markers; an item may have several lines."""
    for start, end in _blocks(text):
        marks = list(_LIST_MARKER.finditer(text, start, end))
        if marks and marks[0].start() == start:
            ends = [mark.start() for mark in marks[1:]] + [end]
            for mark, item_end in zip(marks, ends, strict=True):
                yield mark.end(), mark.end() + len(text[mark.end() : item_end].rstrip())


def answer_block(text: str, start: int = 0) -> tuple[int, int] | None:
    """Return the span of the first block from `start`, code included; with the next one if it ends with a colon.

    Only the next 3,000 characters are read: a longer block ends there.
    """
    blocks = blocks_of(text, start, min(len(text), start + _MAX_READ_CHARS))
    first = next(blocks, None)
    if first is None or not text[slice(*first)].endswith(":"):
        return first
    second = next(blocks, None)
    return (first[0], second[1]) if second else None


def tables(text: str) -> Iterator[TextTable]:
    """Yield the tables of a passage."""
    for start, end in _blocks(text):
        if _is_table(text[start:end]):
            lines = list(_line_spans(text, start, end))
            rows = [(_cells(text[first:last]), (first, last)) for first, last in lines[2:]]
            header = _cells(text[lines[0][0] : lines[0][1]])
            full = [(cells, span) for cells, span in rows if len(cells) == len(header)]
            yield TextTable(header, tuple(cells for cells, _ in full), tuple(span for _, span in full))


def lines(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of the lines of a passage that are neither code nor a table, without list markers."""
    for start, end in _blocks(text):
        if not _is_table(text[start:end]):
            for first, last in _line_spans(text, start, end):
                marker = _LIST_MARKER.match(text, first, last)
                yield marker.end() if marker else first, last


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    for start, end in blocks_of(text, 0, len(text)):
        if not text[start:end].lstrip().startswith(("```", "~~~", ":::", "!!!", "???")):
            yield start, end


def _is_table(block: str) -> bool:
    lines = block.split("\n", 2)
    if len(lines) < 2 or "|" not in lines[0] or "-" not in lines[1]:  # noqa: PLR2004  (the header, and the rule below)
        return False
    return all(map(_RULE_CELL.fullmatch, lines[1].strip().strip("|").split("|")))


def _line_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for line in text[start:end].splitlines(keepends=True):
        yield start, start + len(line.rstrip())
        start += len(line)


def _cells(line: str) -> tuple[str, ...]:
    return tuple(plain_inline(cell) for cell in _CELL_BORDER.split(line.strip().strip("|")))


def plain_block(text: str) -> str:
    """Return a block as plain text; lists keep their lines, code stays as it is."""
    if "```" in text:
        return text
    if re.search(r"(?m)^\s*(?:[-*+]|\d+[.)])\s", text):
        return "\n".join(plain_inline(line) for line in text.splitlines())
    return plain_inline(" ".join(text.split())).strip("* ")
