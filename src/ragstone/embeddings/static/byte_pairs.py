"""Byte-pair encoding of texts (Sennrich et al., arXiv:1508.07909, section 3.2).

A text starts as single characters. The adjacent pair that forms the piece with the lowest number is joined, until no
pair forms a piece. A part that is not in the vocabulary is spelt in its UTF-8 bytes. A blank belongs to the word that
follows it, and no piece extends over two words, so that each word is encoded alone and cached.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

BLANK = "\u2581"
"""Stands for a blank in the pieces."""
_CHUNK = re.compile(f"{BLANK}*[^{BLANK}]+|{BLANK}+")
_MAX_CHUNK_CHARACTERS = 200
"""Most characters that are encoded together, so that the time grows in proportion to the length of a very long word."""
_BLANK_PENALTY = 1 << 20
"""Added to the number of a piece of blanks, so that blanks are joined only when nothing else can be."""


class BytePairs:
    """A vocabulary of pieces, numbered in the order in which they are preferred."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        """Create the vocabulary from the pieces in their order; those of single bytes are spelt `<0x41>`."""
        self._ids = {piece: number for number, piece in enumerate(vocabulary)}
        self._chunk_ids = lru_cache(maxsize=32_768)(self._encode_chunk)

    def __len__(self) -> int:
        """Return the number of pieces."""
        return len(self._ids)

    def ids(self, text: str) -> list[int]:
        """Return the numbers of a text's pieces, in order; none for an empty text."""
        if not text:
            return []
        marked = BLANK + text.replace(" ", BLANK)
        return [
            number
            for chunk in _CHUNK.findall(marked)
            for begin in range(0, len(chunk), _MAX_CHUNK_CHARACTERS)
            for number in self._chunk_ids(chunk[begin : begin + _MAX_CHUNK_CHARACTERS])
        ]

    def _encode_chunk(self, chunk: str) -> tuple[int, ...]:
        parts = list(chunk)
        while (index := self._best_pair(parts)) is not None:
            parts[index : index + 2] = [parts[index] + parts[index + 1]]
        return tuple(number for part in parts for number in self._piece_ids(part))

    def _best_pair(self, parts: Sequence[str]) -> int | None:
        """Return the position of the adjacent pair to join next, the leftmost of equal pairs, or None."""
        best_number, best_index = 2 * _BLANK_PENALTY, None
        for index in range(len(parts) - 1):
            joined = parts[index] + parts[index + 1]
            number = self._ids.get(joined)
            if number is None:
                continue
            number += _BLANK_PENALTY * (joined.strip(BLANK) == "")
            if number < best_number:
                best_number, best_index = number, index
        return best_index

    def _piece_ids(self, part: str) -> list[int]:
        number = self._ids.get(part)
        if number is not None:
            return [number]
        return [self._ids[f"<0x{byte:02X}>"] for byte in part.encode("utf-8", "replace")]
