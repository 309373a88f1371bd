"""Families: passages that are near copies of each other, with a Jaccard similarity of their shingles of at least 0.9.

Found by MinHash in bands, so that the work is linear in the passages; each pair that shares a band is then compared
exactly. Source: Broder, On the resemblance and containment of documents, 1997.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING
from zlib import crc32

from ragstone.drafts.words import stems_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SHINGLE_WORDS = 4
_BAND_COUNT, _ROWS_PER_BAND = 16, 3
_MIN_SIMILARITY = 0.9
_PRIME = (1 << 31) - 1
_MAX_COMPARED_FAMILIES = 8
"""Most families of a bucket to compare a passage with, so that thousands of boilerplate passages take linear time."""


def find_families(texts: Sequence[str]) -> list[int]:
    """Return the family of each text: the index of its first member."""
    shingles = [_shingles(text) for text in texts]
    parents = list(range(len(texts)))
    buckets: defaultdict[tuple[int, bytes], list[int]] = defaultdict(list)
    for index, signature in enumerate(map(_signature, shingles)):
        dissimilar = set[int]()
        for band in range(_BAND_COUNT):
            bucket = buckets[band, signature[band * _ROWS_PER_BAND : (band + 1) * _ROWS_PER_BAND].tobytes()]
            if not any(_same_family(parents, shingles, other, index, dissimilar) for other in bucket):
                bucket.append(index)
            del bucket[_MAX_COMPARED_FAMILIES:]
    return [_root(parents, index) for index in range(len(texts))]


def _same_family(
    parents: list[int], shingles: list[frozenset[int]], other: int, index: int, dissimilar: set[int]
) -> bool:
    """Return whether two texts are in one family; merge their families if they are similar.

    Texts in `dissimilar` were compared before, in another band.
    """
    first, second = _root(parents, other), _root(parents, index)
    if first == second:
        return True
    if other in dissimilar:
        return False
    if not _are_similar(shingles[other], shingles[index]):
        dissimilar.add(other)
        return False
    parents[max(first, second)] = min(first, second)
    return True


def _shingles(text: str) -> frozenset[int]:
    words = stems_of(text)
    size = min(_SHINGLE_WORDS, max(len(words), 1))
    return frozenset(
        crc32(" ".join(words[start : start + size]).encode("utf-8", "surrogatepass"))
        for start in range(len(words) - size + 1)
    )


def _signature(shingles: frozenset[int]) -> "NDArray[np.int64]":
    import numpy as np  # noqa: PLC0415

    count = _BAND_COUNT * _ROWS_PER_BAND
    if not shingles:
        return np.arange(count, dtype=np.int64)
    factors = np.arange(1, 2 * count, 2, dtype=np.int64) * 7_919 + 104_729
    values = np.fromiter(shingles, np.int64, len(shingles)) % _PRIME
    return ((values[:, None] * factors[None, :] + factors[::-1][None, :] * 31) % _PRIME).min(axis=0)


def _are_similar(first: frozenset[int], second: frozenset[int]) -> bool:
    """Return whether the Jaccard similarity is at least 0.9; it is at most the quotient of the sizes."""
    smaller, larger = sorted((len(first), len(second)))
    if not smaller or smaller / larger < _MIN_SIMILARITY:
        return False
    shared = len(first & second)
    return shared / (smaller + larger - shared) >= _MIN_SIMILARITY


def _root(parents: list[int], index: int) -> int:
    while parents[index] != index:
        parents[index] = parents[parents[index]]
        index = parents[index]
    return index
