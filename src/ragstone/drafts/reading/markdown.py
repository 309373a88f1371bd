"""Markdown into passages: cut at headings and between blocks, never inside a table or a block of code.

A passage is a slice of the file, so that its offsets are those of the document. The time is linear in the length of the
text: no expression scans past a position from which an earlier attempt scanned in vain.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ragstone.drafts.passage import DraftPassage
from ragstone.text.sentences import sentences

LONGEST = 1500
"""Characters of a passage, unless a single block is longer."""


def join_blocks(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield trimmed spans of whole blocks, with at most `LONGEST` characters unless one block is longer."""
    begin = stop = -1
    for first, last in blocks_of(text, start, end):
        if begin >= 0 and last - begin > LONGEST:
            yield begin, stop
            begin = -1
        begin = first if begin < 0 else begin
        stop = last
    if begin >= 0:
        yield begin, stop


def blocks_of(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of blocks: runs of lines without a blank line, a fenced block of code as a whole."""
    begin, stop, fenced, offset = -1, -1, "", start
    for line in text[start:end].splitlines(keepends=True):
        fence = _FENCE.match(line)
        if fence and (not fenced or fence[1] == fenced):
            fenced = "" if fenced else fence[1]
        if line.strip():
            begin = offset if begin < 0 else begin
            stop = offset + len(line.rstrip())
        elif begin >= 0 and not fenced:
            yield begin, stop
            begin = -1
        offset += len(line)
    if begin >= 0:
        yield begin, stop


_HEADING = re.compile(r"#{1,6}(?=[ \t])")
_FENCE = re.compile(r"[ \t]*(```|~~~)")
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(?=\w[\w-]*:)(?:(?!---[ \t]*$).*\n)*?---[ \t]*$", re.MULTILINE)
_FRONT_TITLE = re.compile(r"^title:[ \t]*([\"']?)(\S.*?)\1[ \t]*$", re.MULTILINE)
_ATTRIBUTES = re.compile(r"\{ ?[#.:][^{}]*\}$")
_LINK = re.compile(r"!?\[([^\[\]\n]*+)\]\((?:[^()\n]++|\([^()\n]*+\))*+\)")
_BOLD = re.compile(r"(\*\*|__)(?=\S)([^*_\n]++|[*_](?![*_]))++\1")
_ITALIC = re.compile(r"(?<![\w*])[*_]([^*_\s][^*_]*+)[*_](?![\w*])")
_MAX_TITLE_CHARS = 200
"""Characters of a heading that its passages are given; a longer one would be repeated for each of them."""


def read_markdown(document: str, text: str) -> Iterator[DraftPassage]:
    """Yield the passages of a Markdown text; comments and front matter are blanked, with their length kept."""
    title, text = _front_matter(_blank_comments(text))
    headings = [(1, title)] if title else []
    for level, title, start, end in _sections(text):
        if level:
            headings = [heading for heading in headings if heading[0] < level] + [(level, title)]
        path = tuple(heading[1] for heading in headings)
        for begin, stop in join_blocks(text, start, end):
            yield DraftPassage(f"{document}#{begin}", document, text[begin:stop], path, begin)


def _front_matter(text: str) -> tuple[str, str]:
    """Return the title in the YAML front matter, empty without any, and the text with the front matter blanked."""
    front = _FRONT_MATTER.match(text)
    if front is None:
        return "", text
    title = _FRONT_TITLE.search(front[0])
    return _title(title[2]) if title else "", re.sub(r"[^\n]", " ", front[0]) + text[front.end() :]


def _blank_comments(text: str) -> str:
    parts, position = list[str](), 0
    while (begin := text.find("<!--", position)) >= 0 and (end := text.find("-->", begin + 4)) >= 0:
        parts += text[position:begin], re.sub(r"[^\n]", " ", text[begin : end + 3])
        position = end + 3
    return "".join([*parts, text[position:]])


def _sections(text: str) -> Iterator[tuple[int, str, int, int]]:
    """Yield level, title, start and end of each section, without the line of the heading."""
    level, title, start, offset, fenced = 0, "", 0, 0, ""
    for line in text.splitlines(keepends=True):
        fence = _FENCE.match(line)
        if fence and (not fenced or fence[1] == fenced):
            fenced = "" if fenced else fence[1]
        heading = None if fenced or fence else _HEADING.match(line)
        if heading:
            yield level, title, start, offset
            level, title, start = heading.end(), _title(line[heading.end() :]), offset + len(line)
        offset += len(line)
    yield level, title, start, offset


def _title(text: str) -> str:
    """Return a heading without its closing signs and markup."""
    title = _ATTRIBUTES.sub("", text.strip()).strip()
    bare = title.rstrip("#")
    return plain_inline(bare if bare.endswith((" ", "\t")) or not bare else title)[:_MAX_TITLE_CHARS].strip()


def plain_inline(text: str) -> str:
    """Return a line without links, emphasis and images; code keeps its back-ticks."""
    text = _LINK.sub(r"\1", _LINK.sub(r"\1", text))  # twice: a picture may be the text of a link
    text = _BOLD.sub(lambda match: match[0][2:-2], text)
    text = _ITALIC.sub(r"\1", text)
    return text.replace("\\|", "|").strip()


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
