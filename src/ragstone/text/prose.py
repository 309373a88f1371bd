"""Markdown read as prose: a row of a table with its header, an item of a list with its lead-in, no other markup.

    | Item | Fee |                            The plan includes:
    |---|---|               Item Adult:       - 10 GB storage       The plan includes: 10 GB storage.
    | Adult | 12 euros |    Fee 12 euros.     - Two users           The plan includes: Two users.

A lead-in is the sentence before a list that ends with a colon, or a heading right above it. An item that is a sentence
by itself stays one. Blocks of code stay as they are.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Generator, Iterator, Sequence

from ragstone.text.citation_markers import CitationMarker, citation_markers, definition_spans
from ragstone.text.pieces import Piece

Span = tuple[int, int]

_FENCE = re.compile(r"[ \t]{0,3}(```|~~~)")
_RULE = re.compile(r"[ \t]*([-*_=])(?:[ \t]*\1){2,}[ \t]*\Z")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+")
_QUOTE = re.compile(r"[ \t]*(?:>[ \t]?)+")
_ITEM = re.compile(
    r"(?P<indent>[ \t]*)(?:[-*+•‣◦\u2013]|\(?\d{1,3}[.)]|\(?[a-z]\))[ \t]+(?:\[[ xX]\][ \t]+)?(?=\S)"
)
_DELIMITER_CELL = re.compile(r"\s*:?-+:?\s*\Z")
_CELL = re.compile(r"((?:[^|\\]|\\.)*+)(?:\||\Z)")
_MARKUP = re.compile(
    r"""
    `{1,2}(?P<code>[^`\n]{1,300})`{1,2}
    |!?\[(?P<label>[^\[\]\n]{1,300})\]\(<?[^()<>\s]{0,500}(?:\([^()\s]{0,200}\)[^()<>\s]{0,200})?>?(?:\s"[^"\n]{0,200}")?\)
    |(?P<strong>\*{1,3}|_{1,3}|~~)(?=\S)(?P<stressed>(?:(?!(?P=strong))[^\n]){1,400})(?<=\S)(?P=strong)
    |(?P<tag></?(?:b|i|u|em|strong|mark|small|span|p|div)>)
    |(?P<break><br\s?/?>)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_COMPLETE = tuple(".!?…。！？:؟۔।")
_SENTENCE_END = re.compile(r"[.!?…][\"'”)\]»]?\s+(?=\S)")
_MAX_LEAD_IN = 160
"""Maximum length of a lead-in, in characters, that is repeated for each item."""


def prose_pieces(text: str, counts: "Counter[str]") -> Iterator[Piece]:
    """Yield a text as prose, in pieces; count what was left out or put together."""
    return _Reader(text, counts).pieces()


class _Reader:
    def __init__(self, text: str, counts: "Counter[str]") -> None:
        self._text = text
        self._counts = counts
        self._lines = list(_line_spans(text))
        self._markers = list(citation_markers(text))
        self._definitions = {start for start, _ in definition_spans(text)}
        self._lead_ins: list[tuple[int, Span]] = []
        """The indentation and the span of the lead-ins in force, the innermost last."""

    def pieces(self) -> Iterator[Piece]:
        """Yield the pieces of all blocks."""
        number = 0
        while number < len(self._lines):
            number = yield from self._block(number)

    def _block(self, number: int) -> Generator[Piece, None, int]:
        """Yield the pieces of the block that begins with a line; return the number of the line after it."""
        start, end = self._lines[number]
        if fence := _FENCE.match(self._text, start, end):
            return (yield from self._code(number, fence[1]))
        if start in self._definitions or _RULE.match(self._text[start:end]):
            self._counts["markup"] += 1
            return number + 1
        if self._begins_table(number):
            return (yield from self._table(number))
        if item := _ITEM.match(self._text, start, end):
            return (yield from self._item(number, item))
        yield from self._paragraph(number)
        return number + 1

    def _inline(self, start: int, end: int) -> Iterator[Piece]:
        return _inline_pieces(self._text, start, end, self._markers, self._counts)

    def _line_break(self, number: int) -> Iterator[Piece]:
        end = self._lines[number][1]
        if end < len(self._text):
            yield Piece("\n", end)

    def _code(self, number: int, fence: str) -> Generator[Piece, None, int]:
        for after in range(number + 1, len(self._lines)):
            if self._text[slice(*self._lines[after])].lstrip().startswith(fence):
                break
        else:
            after = len(self._lines) - 1
        after += 1
        start, end = self._lines[number][0], self._lines[after - 1][1]
        yield Piece(self._text[start:end], start)
        yield from self._line_break(after - 1)
        self._lead_ins.clear()
        return after

    def _begins_table(self, number: int) -> bool:
        if number + 1 == len(self._lines) or "|" not in self._text[slice(*self._lines[number])]:
            return False
        return _is_delimiter_row(self._text, *self._lines[number + 1])

    def _table(self, number: int) -> Generator[Piece, None, int]:
        header = _cells(self._text, *self._lines[number])
        number += 2
        while number < len(self._lines) and "|" in self._text[slice(*self._lines[number])]:
            self._counts["table row"] += 1
            yield from self._row(header, _cells(self._text, *self._lines[number]))
            yield Piece(".\n")
            yield from self._line_break(number)
            number += 1
        self._lead_ins.clear()
        return number

    def _row(self, header: Sequence[Span], row: Sequence[Span]) -> Iterator[Piece]:
        filled = [(column, span) for column, cell in enumerate(row) if (span := self._trimmed(*cell))]
        for position, (column, span) in enumerate(filled):
            if position:
                yield Piece(": " if position == 1 else "; ")
            name = self._trimmed(*header[column]) if column < len(header) else None
            if name:
                yield Piece("".join(piece.text for piece in self._added(name)) + " ")
            yield from self._inline(*span)

    def _trimmed(self, start: int, end: int) -> Span | None:
        text = self._text[start:end]
        left, right = start + len(text) - len(text.lstrip()), start + len(text.rstrip())
        return (left, right) if right > left else None

    def _added(self, span: Span) -> Iterator[Piece]:
        """Yield a part of the text that is repeated, without its place and without counting what it leaves out."""
        for piece in _inline_pieces(self._text, *span, self._markers, Counter()):
            yield Piece(piece.text)

    def _item(self, number: int, item: re.Match[str]) -> Generator[Piece, None, int]:
        after = self._end_of_item(number, len(item["indent"]))
        start, end = item.end(), self._lines[after - 1][1]
        while self._lead_ins and self._lead_ins[-1][0] >= len(item["indent"]):
            self._lead_ins.pop()
        content = self._trimmed(start, end)
        if not content or not self._lead_ins or self._is_complete(*content):
            yield from self._inline(self._lines[number][0], end)
        else:
            self._counts["list item"] += 1
            yield from self._with_lead_in(self._lead_ins[-1][1], content)
        if content and self._text[content[1] - 1] == ":":
            self._lead_ins.append((len(item["indent"]), content))
        yield from self._line_break(after - 1)
        return after

    def _with_lead_in(self, lead_in: Span, content: Span) -> Iterator[Piece]:
        yield from self._added(lead_in)
        yield Piece(" " if self._text[lead_in[1] - 1] in ":*_" else ": ")
        start, end = content
        end -= self._text[end - 1] in ",;"
        yield from self._inline(start, end)
        yield Piece(".\n")

    def _end_of_item(self, number: int, indent: int) -> int:
        """Return the number of the line after an item: it goes on in lines that are indented further."""
        number += 1
        while number < len(self._lines):
            line = self._text[slice(*self._lines[number])]
            is_deeper = line.strip() and len(line) - len(line.lstrip()) > indent
            if not is_deeper or _ITEM.match(line) or "|" in line:
                break
            number += 1
        return number

    def _is_complete(self, start: int, end: int) -> bool:
        """Whether an item is a sentence, or the lead-in of items of its own."""
        text = "".join(piece.text for piece in self._added((start, end)))
        return text.rstrip().rstrip("\"'”’)»").endswith(_COMPLETE)

    def _paragraph(self, number: int) -> Iterator[Piece]:
        start, end = self._lines[number]
        prefix = _HEADING.match(self._text, start, end) or _QUOTE.match(self._text, start, end)
        if prefix:
            self._counts["markup"] += 1
            start = prefix.end()
        content = self._trimmed(start, end)
        if not content:
            yield from self._line_break(number)
            return
        is_heading = prefix is not None and "#" in prefix[0]
        lead_in = self._lead_in(*content, is_heading=is_heading)
        self._lead_ins = [(-1, lead_in)] if lead_in else []
        if lead_in and self._precedes_fragment(number):
            end = lead_in[0]
        yield from self._inline(start, end)
        if end > start or not lead_in:
            yield from self._line_break(number)
            if is_heading:
                yield Piece("\n")

    def _lead_in(self, start: int, end: int, *, is_heading: bool) -> Span | None:
        """Return the span of the sentence of a line that introduces a list, if there is one."""
        if not is_heading:
            if not self._text[start:end].rstrip("*_ ").endswith(":"):
                return None
            ends = [match.end() for match in _SENTENCE_END.finditer(self._text, start, end)]
            start = ends[-1] if ends else start
        return (start, end) if end - start <= _MAX_LEAD_IN else None

    def _precedes_fragment(self, number: int) -> bool:
        """Whether an item follows that is read with the lead-in before it."""
        for following in range(number + 1, len(self._lines)):
            start, end = self._lines[following]
            if self._text[start:end].strip():
                item = _ITEM.match(self._text, start, end)
                return item is not None and not self._is_complete(item.end(), end)
        return False


def _line_spans(text: str) -> Iterator[Span]:
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield start, end
        start = end + 1
    yield start, len(text)


def _cells(text: str, start: int, end: int) -> list[tuple[int, int]]:
    row = text[start:end]
    left = start + len(row) - len(row.lstrip())
    left += text.startswith("|", left, end)
    right = start + len(row.rstrip())
    right -= right > left and text[right - 1] == "|"
    return [cell.span(1) for cell in _CELL.finditer(text, left, right) if cell.end() > cell.start()]


def _is_delimiter_row(text: str, start: int, end: int) -> bool:
    """Return whether a line is the row of hyphens below the header of a table."""
    found = _cells(text, start, end) if "|" in text[start:end] else []
    return bool(found) and all(_DELIMITER_CELL.match(text[left:right]) for left, right in found)


def _inline_pieces(
    text: str, start: int, end: int, markers: Sequence[CitationMarker], counts: "Counter[str]"
) -> Iterator[Piece]:
    """Yield `text[start:end]` in pieces, without markup and citation markers; count what was left out."""
    position = start
    for index in range(bisect_left(markers, (start,)), bisect_left(markers, (end,))):
        marker = markers[index]
        counts["citation"] += 1
        if not marker.is_noun:
            yield from _markup_pieces(text, position, marker.start, counts)
            position = marker.end
    yield from _markup_pieces(text, position, end, counts)


def _markup_pieces(text: str, start: int, end: int, counts: "Counter[str]") -> Iterator[Piece]:
    position = start
    for match in _MARKUP.finditer(text, start, end):
        if match["strong"] and not _surrounds_words(text, match):
            continue
        counts["markup"] += 1
        if match.start() > position:
            yield Piece(text[position : match.start()], position)
        if match["code"]:
            yield Piece(match["code"], match.start("code"))
        elif match["label"] or match["stressed"]:
            yield from _markup_pieces(text, *match.span("label" if match["label"] else "stressed"), counts)
        elif match["break"]:
            yield Piece("\n")
        position = match.end()
    if end > position:
        yield Piece(text[position:end], position)


def _surrounds_words(text: str, match: re.Match[str]) -> bool:
    """Whether the marks of emphasis surround words: not those of snake_case or of a product such as 2*3*4."""
    before, after = text[max(0, match.start() - 1) : match.start()], text[match.end() : match.end() + 1]
    return not (before.isalnum() and (match["strong"][0] == "_" or before.isdigit())) and not (
        after.isalnum() and match["strong"][0] == "_"
    )
