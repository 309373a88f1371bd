"""Windows: passages cut so that a model with a short context reads all of them.

A passage that does not fit is cut between sentences, with one sentence of overlap. Pieces of neighbouring passages
share a window as long as they fit.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ragstone.text.sentences import sentences

_BYTES_PER_TOKEN = 3
"""A low estimate: English has four and more, other scripts three."""


@dataclass(frozen=True, slots=True)
class EvidencePiece:
    """A passage, numbered from 1, or a part of one: then `span` is its position in the passage."""

    text: str
    passage: int
    span: tuple[int, int] | None = None


def count_tokens(text: str) -> int:
    """Return the estimated number of tokens of a text, rather too many than too few."""
    return len(text.encode("utf-8", "replace")) // _BYTES_PER_TOKEN + 1


def windows(passages: Sequence[str], max_tokens: int | None) -> list[tuple[EvidencePiece, ...]]:
    """Return the passages in windows of at most `max_tokens`, in order; one window without a limit.

    A single sentence that is longer has a window of its own.
    """
    pieces = [piece for number, text in enumerate(passages, 1) for piece in _pieces(text, number, max_tokens)]
    if max_tokens is None:
        return [tuple(pieces)]
    result: list[tuple[EvidencePiece, ...]] = []
    room = 0
    for piece in pieces:
        tokens = count_tokens(piece.text)
        if result and tokens <= room:
            result[-1] = (*result[-1], piece)
        else:
            result.append((piece,))
            room = max_tokens
        room -= tokens
    return result


def _pieces(text: str, number: int, max_tokens: int | None) -> Iterator[EvidencePiece]:
    if max_tokens is None or count_tokens(text) <= max_tokens:
        yield EvidencePiece(text, number)
        return
    spans = sentences(text)
    first = 0
    while first < len(spans):
        last = first
        while (
            last + 1 < len(spans) and count_tokens(text[spans[first][0] : spans[last + 1][1]]) <= max_tokens
        ):
            last += 1
        start, end = spans[first][0], spans[last][1]
        yield EvidencePiece(text[start:end], number, (start, end))
        if last + 1 == len(spans):
            return
        first = max(last, first + 1)
