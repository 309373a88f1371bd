"""The trained weights: plain arrays in one file, whose hash is checked when it is read.

A score is the sum of a linear part and of small decision trees, both constrained by the features' signs. Each row is
computed alone, with the same operations in any batch, so that a verdict never depends on its batch.
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
YES, UNSURE = 0.5, 0.4
"""Chances (see `chance`) from which on a verdict is yes, and from which on it is idk."""
MOST_LOG_ODDS = 8.0
"""Absolute value at which `chance` clips a score or log odds."""

Values = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Forest:
    """Binary decision trees of one depth, as arrays of shape (trees, nodes); the root is node 0.

    Attributes:
        feature: of each inner node, the feature that it compares.
        bound: values up to it go left.
        left: the child to the left; a leaf is its own child.
        right: the child to the right.
        value: of each leaf.
        depth: of the deepest tree.
    """

    feature: NDArray[np.int64]
    bound: Values
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    value: Values
    depth: int

    def score(self, row: Values) -> float:
        """Return the sum of the leaves that a row of features falls into.

        All nodes are compared at once, then each tree is walked: far fewer steps than comparing level by level.
        """
        roots, feature, bound, left, right, value = self._nodes
        child = np.where(row[feature] <= bound, left, right)
        node = roots
        for _ in range(self.depth):
            node = child[node]
        return float(value[node].sum())

    @cached_property
    def _nodes(
        self,
    ) -> tuple[NDArray[np.intp], NDArray[np.intp], Values, NDArray[np.intp], NDArray[np.intp], Values]:
        """The roots, and the nodes of all trees in one row: feature, bound, left, right, value."""
        roots = np.arange(len(self.value), dtype=np.intp) * self.value.shape[1]
        left, right = ((child + roots[:, None]).ravel() for child in (self.left, self.right))
        return (
            roots,
            self.feature.ravel().astype(np.intp),
            self.bound.ravel(),
            left,
            right,
            self.value.ravel(),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Scorer:
    """A linear part and a forest over the same features, with the map from score to probability.

    Attributes:
        intercept: of the linear part.
        slopes: of the linear part, shape (features,).
        directions: slopes for the summed gaps of missing words, shape (gaps,), or None.
        forest: the trees, or None.
        scale: probability = 1 / (1 + exp(-(scale * score + shift))).
        shift: see scale.
    """

    intercept: float
    slopes: Values
    directions: Values | None
    forest: Forest | None
    scale: float
    shift: float

    def score(self, row: Values, gaps: Values | None = None) -> float:
        """Return the score of one row of features."""
        score = self.intercept + float(row @ self.slopes)
        if self.directions is not None and gaps is not None:
            score += float(gaps @ self.directions)
        return score + self.forest.score(row) if self.forest else score

    def probability(self, row: Values, gaps: Values | None = None) -> float:
        """Return the calibrated probability of one row of features."""
        line = self.scale * self.score(row, gaps) + self.shift
        return float(1 / (1 + np.exp(-min(max(line, -30.0), 30.0))))


@cache
def scorer(name: str) -> Scorer:
    """Return a trained scorer: "support", "contradiction" or "correctness".

    Raises:
        ValueError: the weights in the package are not those that were measured.
    """
    arrays = _arrays()
    part = {
        key.removeprefix(f"{name}."): value for key, value in arrays.items() if key.startswith(f"{name}.")
    }
    scale, shift, intercept = (float(x) for x in part["line"])
    forest = None
    if "feature" in part:
        kept = (part[key] for key in ("feature", "bound", "left", "right", "value"))
        forest = Forest(*kept, depth=int(part["depth"]))
    return Scorer(intercept, part["slopes"], part.get("directions"), forest, scale, shift)


@cache
def threshold(name: str) -> float:
    """Return a decision threshold fixed in training, by its name."""
    return float(_arrays()[f"threshold.{name}"])


def chance(name: str, *features: float) -> float:
    """Return a chance, 0 to 1, by a named logistic regression: an intercept, then a slope for each feature.

    Args:
        name: "relevance" (of an answer), "passage" (its relevance), "usefulness" or "correctness": that a reader says
            yes; "short_support", "long_support": that a statement is supported beside short or longer evidence;
            "short_contradiction", "long_contradiction": that one that is not is contradicted.
        features: scores and log odds; each is clipped to -8 to 8.
    """
    intercept, *slopes = _arrays()[f"line.{name}"].tolist()
    bounded = (min(max(value, -MOST_LOG_ODDS), MOST_LOG_ODDS) for value in features)
    score = intercept + sum(slope * value for slope, value in zip(slopes, bounded, strict=True))
    return 1 / (1 + math.exp(-min(max(score, -30.0), 30.0)))


@cache
def _arrays() -> dict[str, NDArray[Any]]:
    folder = files("ragstone.judges.local")
    data = folder.joinpath(FILE).read_bytes()
    expected = folder.joinpath(HASH_FILE).read_text("ascii").strip()
    if (found := hashlib.sha256(data).hexdigest()) != expected:
        raise ValueError(
            f"the weights of the embedded judge are damaged: sha256 of {FILE} is {found}, expected {expected}; "
            "install ragstone again"
        )
    with np.load(io.BytesIO(data), allow_pickle=False) as archive:
        return dict(archive)
