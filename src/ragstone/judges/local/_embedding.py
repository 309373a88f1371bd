"""Word vectors, of the static model that the local embedder reads.

A word's vector is the mean of the vectors of its pieces, scaled to length one. Vectors depend on the word alone.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ragstone.embeddings._static import load_static

DIMENSIONS = 256
_UNKNOWN_WEIGHT = 12.0

Vectors = NDArray[np.float32]


@lru_cache(maxsize=32768)
def word_vector(word: str) -> tuple[Vectors, float]:
    """Return the unit vector of one word, shape (256,), and the word's weight.

    The weight is the length of its longest piece: training made the vectors of telling words long and those
    of words that stand everywhere short ("the" 1.6, "said" 6.4, "government" 11.5), so length does the work
    of an inverse document frequency, without a table of counts.
    """
    table, tokenizer = load_static()
    pieces = tokenizer.encode(word, add_special_tokens=False).ids
    if not pieces:
        return np.zeros(DIMENSIONS, np.float32), _UNKNOWN_WEIGHT
    found = table[pieces].astype(np.float32)
    mean = found.mean(axis=0)
    unit = mean / max(float(np.linalg.norm(mean)), 1e-9)
    unit.flags.writeable = False
    return unit, float(np.linalg.norm(found, axis=1).max())


def word_weights(words: list[str]) -> Vectors:
    """Return how much each word tells, shape (words,)."""
    return np.array([word_vector(word)[1] for word in words], np.float32)


def vectors(words: list[str]) -> Vectors:
    """Return one unit vector per word, shape (words, 256)."""
    return (
        np.stack([word_vector(word)[0] for word in words]) if words else np.zeros((0, DIMENSIONS), np.float32)
    )
