"""Markdown within a line: emphasis, links, images, code, tags, and citation markers, cut out of a text in pieces."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence

from ragstone.text.citation_markers import CitationMarker
from ragstone.text.pieces import Piece

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


def inline_pieces(
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
