"""A text put together from pieces of another, so that its spans can be traced back."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple


class Piece(NamedTuple):
    """Characters of a text that was put together, and where they stand in the original (None: nowhere).

    `respelled` is the number of characters that stand there in another spelling; 0 for the same characters.
    """

    text: str
    start: int | None = None
    respelled: int = 0


class PiecedText:
    """A text made of pieces of an original."""

    def __init__(self, original: str, pieces: Sequence[Piece]) -> None:
        """Join `pieces` of `original`."""
        self.pieces = pieces
        self.original = original
        self.text = "".join(piece.text for piece in pieces)
        self._offsets = [0, *accumulate(len(piece.text) for piece in pieces)]

    def original_span(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the span of the original that `text[start:end]` was taken from; None if all of it was added."""
        first, last = bisect_right(self._offsets, start) - 1, bisect_right(self._offsets, end - 1)
        found = [
            span
            for piece, offset in zip(self.pieces[first:last], self._offsets[first:last], strict=True)
            if (span := _source(piece, start - offset, end - offset)) is not None
        ]
        return (found[0][0], found[-1][1]) if found else None

    def find(self, quote: str) -> tuple[int, int] | None:
        """Return the span of the original that holds a quote from the text; None if the text does not have it."""
        start = self.text.find(quote)
        return self.original_span(start, start + len(quote)) if quote and start >= 0 else None

    def traced(self, piece: Piece) -> Iterator[Piece]:
        """Yield a piece of this text as pieces of the original."""
        if piece.start is None:
            yield piece
            return
        if piece.respelled:
            span = self.original_span(piece.start, piece.start + piece.respelled)
            yield Piece(piece.text, span[0], span[1] - span[0]) if span else Piece(piece.text)
            return
        first = bisect_right(self._offsets, piece.start) - 1
        last = bisect_left(self._offsets, piece.start + len(piece.text))
        for part, offset in zip(self.pieces[first:last], self._offsets[first:last], strict=True):
            left = max(0, piece.start - offset)
            text = part.text[left : piece.start + len(piece.text) - offset]
            yield Piece(text, None if part.start is None else part.start + left)


def _source(piece: Piece, start: int, end: int) -> tuple[int, int] | None:
    """Return the place in the original of a part of a piece, which may begin before it or end after it."""
    if piece.start is None:
        return None
    if piece.respelled:
        return piece.start, piece.start + piece.respelled
    return piece.start + max(0, start), piece.start + min(len(piece.text), end)
