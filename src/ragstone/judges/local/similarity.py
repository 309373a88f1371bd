"""Similarity: how alike two texts are in meaning, regardless of word order.

The mean of two untrained scores, each symmetric and in [0, 1]: the cosine of the weighted mean word vectors, and soft
alignment (each word finds its nearest in the other text, the same stem counting 1). Every word counts by its weight, so
function words need no list. No training: weights fitted to one year of the STS tasks made the other years worse.
"""

from collections.abc import Sequence
from itertools import chain

import numpy as np

from ragstone.judges.local.model.word_vectors import Vectors, vectors, word_weights
from ragstone.text.tokens import WordToken, tokens

_BLOCK_SIZE = 1_024
"""Number of words whose cosines with the other text are in memory at once."""


def similarity(a: str, b: str) -> float:
    """Return how alike two texts are: 0 (nothing in common) to 1 (the same words)."""
    tokens_a, tokens_b = (list(chain.from_iterable(tokens(text))) for text in (a, b))
    if not tokens_a or not tokens_b:
        return float(a.split() == b.split())
    vectors_a, vectors_b = (vectors([t.norm for t in row]) for row in (tokens_a, tokens_b))
    weights_a, weights_b = (word_weights([t.norm for t in row]) for row in (tokens_a, tokens_b))
    cosine = _cosine(weights_a @ vectors_a, weights_b @ vectors_b)
    match_a, match_b = _match_scores(tokens_a, tokens_b, vectors_a, vectors_b)
    share_a = weights_a @ match_a / weights_a.sum()
    share_b = weights_b @ match_b / weights_b.sum()
    return float(np.clip((cosine + (share_a + share_b) / 2) / 2, 0, 1))


def _cosine(a: Vectors, b: Vectors) -> float:
    return max(float(a @ b / max(np.linalg.norm(a) * np.linalg.norm(b), 1e-9)), 0.0)


def _match_scores(
    tokens_a: Sequence[WordToken], tokens_b: Sequence[WordToken], vectors_a: Vectors, vectors_b: Vectors
) -> tuple[Vectors, Vectors]:
    """Return for each word of each text the cosine of the nearest word of the other text; equal stems count 1.

    One block of words at a time, so that memory grows with the longer text, not with the product of both lengths.
    """
    match_a, match_b = np.zeros(len(tokens_a), np.float32), np.zeros(len(tokens_b), np.float32)
    for start in range(0, len(tokens_a), _BLOCK_SIZE):
        cosines = np.clip(vectors_a[start : start + _BLOCK_SIZE] @ vectors_b.T, 0, 1)
        match_a[start : start + _BLOCK_SIZE] = cosines.max(axis=1)
        match_b = np.maximum(match_b, cosines.max(axis=0))
    stems_a, stems_b = {t.stem for t in tokens_a}, {t.stem for t in tokens_b}
    match_a[[t.stem in stems_b for t in tokens_a]] = 1
    match_b[[t.stem in stems_a for t in tokens_b]] = 1
    return match_a, match_b
