"""Similarity: how alike two texts are in meaning, without order.

The mean of four untrained views, each symmetric and in [0, 1]: the cosine of the weighted mean word vectors;
soft alignment (each telling word finds its nearest in the other text); shared character runs of three to
four; shared stems, numbers weighing double. No training: weights fitted to one year of the STS tasks made the
other years worse.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import chain

import numpy as np

from ragstone.judges.local._align import telling
from ragstone.judges.local._embedding import vectors, word_weights
from ragstone.judges.local._text import Token, tokens

_SHARES = {"cosine": 0.35, "soft": 0.35, "runs": 0.2, "stems": 0.1}


def similarity(a: str, b: str) -> float:
    """Return how alike two texts are: 0 (nothing in common) to 1 (the same words)."""
    one, other = _words(a), _words(b)
    if not one or not other:
        return float(a.split() == b.split())
    views = _vector_views(one, other)
    views["runs"] = _overlap(_runs(one), _runs(other))
    views["stems"] = _overlap(Counter(t.stem for t in one), Counter(t.stem for t in other))
    return float(np.clip(sum(share * views[name] for name, share in _SHARES.items()), 0, 1))


def _words(text: str) -> list[Token]:
    found = list(chain.from_iterable(tokens(text)))
    return [token for token in found if telling(token)] or found


def _vector_views(one: Sequence[Token], other: Sequence[Token]) -> dict[str, float]:
    ours, theirs = (vectors([t.norm for t in row]) for row in (one, other))
    our_weights, their_weights = (word_weights([t.norm for t in row]) for row in (one, other))
    means = our_weights @ ours, their_weights @ theirs
    cosine = float(means[0] @ means[1] / max(np.linalg.norm(means[0]) * np.linalg.norm(means[1]), 1e-9))
    grid = np.clip(ours @ theirs.T, 0, 1)
    there = our_weights @ grid.max(axis=1) / our_weights.sum()
    back = their_weights @ grid.max(axis=0) / their_weights.sum()
    return {"cosine": max(cosine, 0.0), "soft": float(there + back) / 2}


def _runs(words: Sequence[Token]) -> Counter[str]:
    text = f" {' '.join(token.norm for token in words)} "
    return Counter(text[i : i + size] for size in (3, 4) for i in range(len(text) - size + 1))


def _overlap(one: Counter[str], other: Counter[str]) -> float:
    """Return the Dice coefficient of two bags."""
    return 2 * (one & other).total() / max(one.total() + other.total(), 1)
