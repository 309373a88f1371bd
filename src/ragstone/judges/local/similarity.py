"""Similarity: how alike two texts are in meaning, without order.

The mean of two untrained views, each symmetric and in [0, 1]: the cosine of the weighted mean word vectors, and soft
alignment (each word finds its nearest in the other text, the same stem counting 1). Every word counts by its weight, so
function words need no list. No training: weights fitted to one year of the STS tasks made the other years worse.
"""

from collections.abc import Sequence
from itertools import chain

import numpy as np

from ragstone.judges.local.model.word_vectors import Vectors, vectors, word_weights
from ragstone.judges.local.text.tokens import WordToken, tokens

_BLOCK = 1_024
"""Words whose products with the other text are in memory at once."""


def similarity(a: str, b: str) -> float:
    """Return how alike two texts are: 0 (nothing in common) to 1 (the same words)."""
    one, other = (list(chain.from_iterable(tokens(text))) for text in (a, b))
    if not one or not other:
        return float(a.split() == b.split())
    ours, theirs = (vectors([t.norm for t in row]) for row in (one, other))
    our_weights, their_weights = (word_weights([t.norm for t in row]) for row in (one, other))
    cosine = _cosine(our_weights @ ours, their_weights @ theirs)
    nearest, nearest_back = _nearest(one, other, ours, theirs)
    there = our_weights @ nearest / our_weights.sum()
    back = their_weights @ nearest_back / their_weights.sum()
    return float(np.clip((cosine + (there + back) / 2) / 2, 0, 1))


def _cosine(one: Vectors, other: Vectors) -> float:
    return max(float(one @ other / max(np.linalg.norm(one) * np.linalg.norm(other), 1e-9)), 0.0)


def _nearest(
    one: Sequence[WordToken], other: Sequence[WordToken], ours: Vectors, theirs: Vectors
) -> tuple[Vectors, Vectors]:
    """Return how near the nearest word of the other text is to each word, both ways; equal stems count 1.

    A block of words at a time, so that memory grows with the longer text, not with the product of both.
    """
    near, back = np.zeros(len(one), np.float32), np.zeros(len(other), np.float32)
    for start in range(0, len(one), _BLOCK):
        grid = np.clip(ours[start : start + _BLOCK] @ theirs.T, 0, 1)
        near[start : start + _BLOCK] = grid.max(axis=1)
        back = np.maximum(back, grid.max(axis=0))
    our_stems, their_stems = {t.stem for t in one}, {t.stem for t in other}
    near[[t.stem in their_stems for t in one]] = 1
    back[[t.stem in our_stems for t in other]] = 1
    return near, back
