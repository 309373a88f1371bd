"""Join the blocks of a text into passages of bounded length. Blank lines separate blocks; code is never split."""

import re
from collections.abc import Iterator

LONGEST = 1500
"""Characters of a passage, unless a single block is longer."""

_FENCE = re.compile(r"^[ \t]*(```|~~~)", re.MULTILINE)


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
