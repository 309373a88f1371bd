"""Word vectors from the static model that the local embedder reads.

A word's vector is the mean of the vectors of its pieces, scaled to length one. Vectors depend on the word alone.
"""

import math
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ragstone.embeddings.static.table import load_static

DIMENSIONS = 256
_UNKNOWN_WEIGHT = 12.0
_MOST = 32_768
"""Most words in the cache."""
_PIECES_AT_ONCE = 1024
"""Most word pieces in memory at once, unless one word has more."""

Vectors = NDArray[np.float32]
Entry = tuple[Vectors, float]

_NOWHERE = np.zeros(DIMENSIONS, np.float32)
_NOWHERE.flags.writeable = False
_known: dict[str, Entry] = {}


def word_vector(word: str) -> Entry:
    """Return the unit vector of one word, shape (256,), and the word's weight.

    The weight is the length of its longest piece: training made the vectors of content words long and those
    of frequent words short ("the" 1.6, "said" 6.4, "government" 11.5), so the length replaces an inverse
    document frequency, without a table of counts.
    """
    return _known.get(word) or _entries([word])[0]


def word_weights(words: Sequence[str]) -> Vectors:
    """Return the weight of each word, shape (words,)."""
    return np.array([weight for _, weight in _entries(words)], np.float32)


def vectors(words: Sequence[str]) -> Vectors:
    """Return one unit vector per word, shape (words, 256)."""
    rows = [vector for vector, _ in _entries(words)]
    return np.array(rows) if rows else np.zeros((0, DIMENSIONS), np.float32)


def _entries(words: Sequence[str]) -> list[Entry]:
    """Return the vector and the weight of each word; those not yet known are computed together."""
    entries = [_known.get(word) for word in words]
    new: dict[str, Entry] = {}
    lacking = dict.fromkeys(word for word, entry in zip(words, entries, strict=True) if not entry)
    for word, entry in _computed(lacking):
        if len(_known) >= _MOST:
            _known.clear()
        _known[word] = new[word] = entry
    return [entry or new[word] for word, entry in zip(words, entries, strict=True)]


def _computed(words: Iterable[str]) -> Iterator[tuple[str, Entry]]:
    """Yield each word with its vector and weight, computed by the same operations in any batch."""
    pieces = load_static().pieces
    by_size: dict[int, list[tuple[str, list[int]]]] = {}
    for word in words:
        ids = pieces.ids(word)
        by_size.setdefault(len(ids), []).append((word, ids))
    for word, _ in by_size.pop(0, []):  # some signs have no piece
        yield word, (_NOWHERE, _UNKNOWN_WEIGHT)
    for size, group in by_size.items():
        step = max(1, _PIECES_AT_ONCE // size)
        for i in range(0, len(group), step):
            names, ids = zip(*group[i : i + step], strict=True)
            yield from zip(names, _averaged(np.array(ids)), strict=True)


def _averaged(ids: NDArray[np.int64]) -> Iterator[Entry]:
    """Return the vector and the weight of some words, of as many pieces each: shape (words, pieces)."""
    pieces = load_static().rows(ids)
    means = pieces.mean(axis=1)
    lengths = [max(math.sqrt(mean @ mean), 1e-9) for mean in means]
    units = means / np.array(lengths, np.float32)[:, None]
    units.flags.writeable = False
    return zip(units, np.linalg.norm(pieces, axis=2).max(axis=1).tolist(), strict=True)
