"""The table of static vectors: 32,000 rows of 256 numbers of 8 bits, each row with its scale.

It is mapped into memory rather than loaded, so a process starts fast and processes share its pages.
`training/static_table.py` creates it from the table in the package wordllama; NOTICE names the origin of that table.
"""

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragstone.embeddings.static.byte_pairs import BytePairs

FOLDER = Path(__file__).parent
NUMBERS, SCALES, VOCABULARY = "numbers.npy", "scales.npy", "vocabulary.json"


class StaticTable(NamedTuple):
    """A vector for each piece of a word: numbers of shape (pieces, 256), a scale for each row, and the tokenizer."""

    numbers: NDArray[np.int8]
    scales: NDArray[np.float32]
    pieces: BytePairs

    def rows(self, ids: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the vectors of pieces: shape (*ids.shape, 256)."""
        return self.numbers[ids] * self.scales[ids][..., None]


@cache
def load_static() -> StaticTable:
    """Return the table, opened once per process."""
    mapped = np.load(FOLDER / NUMBERS, mmap_mode="r").view(np.ndarray)  # faster to index
    vocabulary = json.loads((FOLDER / VOCABULARY).read_text("utf-8"))
    return StaticTable(mapped, np.load(FOLDER / SCALES), BytePairs(vocabulary))
