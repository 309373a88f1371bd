"""Texts cut into pieces of words by byte-pair encoding (Sennrich et al., arXiv:1508.07909, section 3.2).

A text begins as single characters; the two neighbours that make the piece with the lowest number are joined, until none
do. What is left and is no piece is spelt in its UTF-8 bytes. A blank belongs to the word that follows it, and no piece
reaches over one, so that each word is cut alone and remembered.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

BLANK = "\u2581"
"""Stands for a blank in the pieces."""
_CHUNK = re.compile(f"{BLANK}*[^{BLANK}]+|{BLANK}+")
_LONGEST = 200
"""Characters that are cut together: a word without end must not take time without end."""
_LAST = 1 << 20
"""Added to the number of a piece of blanks: they are joined when nothing else can be."""


class BytePairs:
    """A vocabulary of pieces, numbered in the order in which they are preferred."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        """Take the pieces in their order; those of single bytes are spelt `<0x41>`."""
        self._ids = {piece: number for number, piece in enumerate(vocabulary)}
        self._chunk_ids = lru_cache(maxsize=32_768)(self._cut)

    def __len__(self) -> int:
        """How many pieces there are."""
        return len(self._ids)

    def ids(self, text: str) -> list[int]:
        """Return the numbers of a text's pieces, in order; none for an empty text."""
        if not text:
            return []
        marked = BLANK + text.replace(" ", BLANK)
        return [
            number
            for chunk in _CHUNK.findall(marked)
            for begin in range(0, len(chunk), _LONGEST)
            for number in self._chunk_ids(chunk[begin : begin + _LONGEST])
        ]

    def _cut(self, chunk: str) -> tuple[int, ...]:
        parts = list(chunk)
        while (at := self._best_pair(parts)) is not None:
            parts[at : at + 2] = [parts[at] + parts[at + 1]]
        return tuple(number for part in parts for number in self._numbers(part))

    def _best_pair(self, parts: Sequence[str]) -> int | None:
        """Return where the two neighbours stand that are to be joined next, the leftmost of equal ones."""
        best, at = 2 * _LAST, None
        for place in range(len(parts) - 1):
            joined = parts[place] + parts[place + 1]
            number = self._ids.get(joined)
            if number is None:
                continue
            number += _LAST * (joined.strip(BLANK) == "")
            if number < best:
                best, at = number, place
        return at

    def _numbers(self, part: str) -> list[int]:
        number = self._ids.get(part)
        if number is not None:
            return [number]
        return [self._ids[f"<0x{byte:02X}>"] for byte in part.encode("utf-8", "replace")]
