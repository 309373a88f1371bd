"""Markdown into passages: cut at headings and between blocks, never inside a table or a block of code.

A passage is a slice of the file, so that its offsets are those of the document.
"""

import re
from collections.abc import Iterator

from ragstone.drafts.passage import DraftPassage
from ragstone.drafts.reading.splitter import join_blocks

_HEADING = re.compile(r"(#{1,6})[ \t]+(.*?)[ \t#]*$")
_FENCE = re.compile(r"[ \t]*(```|~~~)")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


def read_markdown(document: str, text: str) -> Iterator[DraftPassage]:
    """Yield the passages of a Markdown text; comments are blanked, with their length kept."""
    text = _COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    headings: list[tuple[int, str]] = []
    for level, title, start, end in _sections(text):
        if level:
            headings = [heading for heading in headings if heading[0] < level] + [(level, title)]
        path = tuple(heading[1] for heading in headings)
        for begin, stop in join_blocks(text, start, end):
            yield DraftPassage(f"{document}#{begin}", document, text[begin:stop], path, begin)


def _sections(text: str) -> Iterator[tuple[int, str, int, int]]:
    """Yield level, title, start and end of each section, without the line of the heading."""
    level, title, start, offset, fenced = 0, "", 0, 0, ""
    for line in text.splitlines(keepends=True):
        fence = _FENCE.match(line)
        if fence and (not fenced or fence[1] == fenced):
            fenced = "" if fenced else fence[1]
        heading = None if fenced or fence else _HEADING.match(line.rstrip("\r\n"))
        if heading:
            yield level, title, start, offset
            level, title, start = len(heading[1]), plain_inline(heading[2]), offset + len(line)
        offset += len(line)
    yield level, title, start, offset


def plain_inline(text: str) -> str:
    """Return a line without links, emphasis and images; code keeps its back-ticks."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"(\*\*|__)(.+?)\1", r"\2", text)
    text = re.sub(r"(?<![\w*])[*_]([^*_\s][^*_]*)[*_](?![\w*])", r"\1", text)
    return text.replace("\\|", "|").strip()
