"""The embedded default: the mean of static word vectors. No key, no network, the same numbers on every machine.

A text without any known token gets the zero vector, whose cosine with everything is 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragstone.embeddings.base import unit_rows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DIMENSIONS = 256
_PIECES_PER_SLICE = 16_384


@dataclass(frozen=True)
class LocalEmbedder:
    """Embeds with the word vectors in the installation."""

    @property
    def name(self) -> str:
        """The spec."""
        return "local"

    async def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Return one row per text: shape (texts, 256), rows of length 1, zeros for a text without words."""
        return embed_texts(texts)


def embed_texts(texts: Sequence[str]) -> "NDArray[np.float32]":
    """Return one row per text: shape (texts, 256), synchronously."""
    import numpy as np  # noqa: PLC0415  (naming an embedder does not load it)

    from ragstone.embeddings.static.table import load_static  # noqa: PLC0415

    table = load_static()
    rows = np.zeros((len(texts), DIMENSIONS), np.float32)
    for row, text in enumerate(texts):
        ids = np.array(table.pieces.ids(text.strip()), np.int64)
        # In slices, so that memory does not grow with the text.
        for start in range(0, len(ids), _PIECES_PER_SLICE):
            rows[row] += table.rows(ids[start : start + _PIECES_PER_SLICE]).sum(axis=0)
    return unit_rows(rows)
