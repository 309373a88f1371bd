"""The trained weights: arrays in one file, whose hash is checked when it is read.

A score is the sum of a linear part and of small decision trees, both constrained by the features' signs. Each row is
computed separately, with the same operations in any batch, so that a verdict never depends on its batch.
"""

import hashlib
import io
import math
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

FILE = "weights.npz"
HASH_FILE = "weights.sha256"
MIN_YES, MAX_NO = 0.6, 0.4
"""Probabilities (see `line_probability`) of relevance, usefulness and correctness from which on the verdict is yes, and
up to which it is no. Between them the judge cannot tell; outside of them it was right nine times in ten on
held-out writers (`training.chances`).
"""
MAX_LOG_ODDS = 8.0
"""Absolute value at which `line_probability` clips a score or log odds."""

Values = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Forest:
    """Binary decision trees of one depth, as arrays of shape (trees, nodes); the root is node 0.

    Attributes:
        feature: index of the feature that each inner node compares.
        bound: threshold of each inner node; values up to it go left.
        left: index of the left child; a leaf is its own child.
        right: index of the right child.
        value: score of each leaf.
        depth: depth of the deepest tree.
    """

    feature: NDArray[np.int64]
    bound: Values
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    value: Values
    depth: int

    def score(self, row: Values) -> float:
        """Return the sum of the values of the leaves that a row of features reaches.

        All nodes are compared at once, then all trees are traversed: far fewer steps than comparing level by level.
        """
        node, left, right = self._nodes
        child = np.where(row[self.feature.ravel()] <= self.bound.ravel(), left, right)
        for _ in range(self.depth):
            node = child[node]
        return float(self.value.ravel()[node].sum())

    @cached_property
    def _nodes(self) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
        """The roots, and the left and the right child of each node, as indices of the nodes of all trees together."""
        roots = np.arange(len(self.value), dtype=np.intp) * self.value.shape[1]
        return roots, (self.left + roots[:, None]).ravel(), (self.right + roots[:, None]).ravel()


@dataclass(frozen=True, slots=True, eq=False)
class Scorer:
    """A linear part, with a slope for each feature, and a forest or none over the same features."""

    intercept: float
    slopes: Values
    forest: Forest | None

    def score(self, row: Values) -> float:
        """Return the score of one row of features."""
        score = self.intercept + float(row @ self.slopes)
        return score + self.forest.score(row) if self.forest else score


@cache
def scorer(name: str) -> Scorer:
    """Return a trained scorer; there is one, "correctness"."""
    arrays = {key.partition(".")[2]: value for key, value in _arrays().items() if key.startswith(f"{name}.")}
    trees = (arrays[key] for key in ("feature", "bound", "left", "right", "value"))
    forest = Forest(*trees, depth=int(arrays["depth"])) if "feature" in arrays else None
    return Scorer(float(arrays["intercept"]), arrays["slopes"], forest)


def line_probability(name: str, *features: float) -> float:
    """Return the probability by a named logistic regression: an intercept, then a coefficient for each feature.

    Args:
        name: "relevance" (of an answer), "passage" (its relevance), "usefulness" or "correctness": that a reader says
            yes; "short_support", "long_support": that a statement is supported by short or longer evidence;
            "short_contradiction", "long_contradiction": that a statement is contradicted if it is not supported.
        features: scores and log odds; each is clipped to -8 to 8.
    """
    intercept, *slopes = _arrays()[f"line.{name}"].tolist()
    score = intercept + sum(
        slope * value for slope, value in zip(slopes, map(clipped, features), strict=True)
    )
    return 1 / (1 + math.exp(-min(max(score, -30.0), 30.0)))


def clipped(value: float) -> float:
    """Return a score or log odds as `line_probability` reads it."""
    return min(max(value, -MAX_LOG_ODDS), MAX_LOG_ODDS)


@cache
def _arrays() -> dict[str, NDArray[Any]]:
    folder = files("ragstone.judges.local")
    data = folder.joinpath(FILE).read_bytes()
    expected = folder.joinpath(HASH_FILE).read_text("ascii").strip()
    if (actual := hashlib.sha256(data).hexdigest()) != expected:
        raise ValueError(
            f"the weights of the embedded judge are damaged: sha256 of {FILE} is {actual}, expected {expected}; "
            "install ragstone again"
        )
    with np.load(io.BytesIO(data), allow_pickle=False) as archive:
        return dict(archive)
