"""Markdown into passages: cut at headings and between blocks, never inside a table or a block of code.

A passage is a slice of the file, so that its offsets are those of the document. The time is linear in the length of the
text: no expression scans past a position from which an earlier attempt scanned in vain.
"""

import re
from collections.abc import Iterator

from ragstone.drafts.passage import DraftPassage

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
