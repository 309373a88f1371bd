"""Word vectors from the static model that the local embedder reads.

A word's vector is the mean of the vectors of its pieces, scaled to unit length. A vector depends on its word alone.
"""

import math
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ragstone.embeddings.static.table import load_static

DIMENSIONS = 256
_UNKNOWN_WEIGHT = 12.0
_MAX_CACHED_WORDS = 32_768
"""Maximum number of words in the cache."""
_MAX_BATCH_PIECES = 1024
"""Maximum number of word pieces in memory at once, unless one word has more."""

Vectors = NDArray[np.float32]
WeightedVector = tuple[Vectors, float]

_ZERO_VECTOR = np.zeros(DIMENSIONS, np.float32)
_ZERO_VECTOR.flags.writeable = False
_cache: dict[str, WeightedVector] = {}


def word_vector(word: str) -> WeightedVector:
    """Return the unit vector of one word, shape (256,), and the word's weight.

    The weight is the largest norm of the word's piece vectors. Training made the vectors of content words long and
    those of frequent words short ("the" 1.6, "said" 6.4, "government" 11.5), so the norm replaces an inverse document
    frequency and needs no table of counts.
    """
    return _cache.get(word) or _entries([word])[0]


def word_weights(words: Sequence[str]) -> Vectors:
    """Return the weight of each word, shape (words,)."""
    return np.array([weight for _, weight in _entries(words)], np.float32)


def vectors(words: Sequence[str]) -> Vectors:
    """Return one unit vector per word, shape (words, 256)."""
    rows = [vector for vector, _ in _entries(words)]
    return np.array(rows) if rows else np.zeros((0, DIMENSIONS), np.float32)


def _entries(words: Sequence[str]) -> list[WeightedVector]:
    """Return the vector and the weight of each word; those not in the cache are computed together."""
    entries = [_cache.get(word) for word in words]
    new: dict[str, WeightedVector] = {}
    missing = dict.fromkeys(word for word, entry in zip(words, entries, strict=True) if not entry)
    for word, entry in _compute_entries(missing):
        if len(_cache) >= _MAX_CACHED_WORDS:
            _cache.clear()
        _cache[word] = new[word] = entry
    return [entry or new[word] for word, entry in zip(words, entries, strict=True)]


def _compute_entries(words: Iterable[str]) -> Iterator[tuple[str, WeightedVector]]:
    """Yield each word with its vector and weight, computed by the same operations in any batch."""
    pieces = load_static().pieces
    by_piece_count: dict[int, list[tuple[str, list[int]]]] = {}
    for word in words:
        ids = pieces.ids(word)
        by_piece_count.setdefault(len(ids), []).append((word, ids))
    for word, _ in by_piece_count.pop(0, []):  # some symbols have no piece
        yield word, (_ZERO_VECTOR, _UNKNOWN_WEIGHT)
    for piece_count, group in by_piece_count.items():
        batch_size = max(1, _MAX_BATCH_PIECES // piece_count)
        for i in range(0, len(group), batch_size):
            batch_words, ids = zip(*group[i : i + batch_size], strict=True)
            yield from zip(batch_words, _average_pieces(np.array(ids)), strict=True)


def _average_pieces(ids: NDArray[np.int64]) -> Iterator[WeightedVector]:
    """Return the vectors and the weights of words of the same number of pieces; `ids` has shape (words, pieces)."""
    pieces = load_static().rows(ids)
    means = pieces.mean(axis=1)
    norms = [max(math.sqrt(mean @ mean), 1e-9) for mean in means]
    units = means / np.array(norms, np.float32)[:, None]
    units.flags.writeable = False
    return zip(units, np.linalg.norm(pieces, axis=2).max(axis=1).tolist(), strict=True)
