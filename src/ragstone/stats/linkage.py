"""Average linkage: a tree of groups of points, the most similar joined first (Sokal and Michener 1958).

The similarity of two groups is the mean over all pairs of their members. The tree is built by chains of nearest
neighbours (Murtagh 1983), which takes time and memory of the square of the number of points, and gives the tree that
joining the closest pair again and again would give.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragstone.stats._arrays import FloatArray, IntArray

_MATRIX_DIMENSIONS = 2


class LinkageTree(NamedTuple):
    """The groups of a tree.

    Attributes:
        order: the points in an order in which the members of every group are adjacent.
        starts: for each group the place in `order` of its first member, in the order in which groups were joined.
        sizes: for each group the number of its members.
    """

    order: IntArray
    starts: IntArray
    sizes: IntArray


def average_linkage(vectors: NDArray[np.floating]) -> LinkageTree:
    """Return the tree of points by the cosine of their vectors.

    Args:
        vectors: one row per point, of any length; a row of zeros is similar to no point.

    Raises:
        ValueError: `vectors` has not two dimensions.
    """
    if vectors.ndim != _MATRIX_DIMENSIONS:
        raise ValueError(f"vectors has shape {vectors.shape}; give one row per point")
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    rows = (vectors / np.where(lengths == 0, 1.0, lengths)).astype(np.float32)
    similarity = rows @ rows.T
    np.fill_diagonal(similarity, -np.inf)
    return _build_tree(similarity)


def _build_tree(similarity: NDArray[np.float32]) -> LinkageTree:
    """Join until one group is left; row and column of a group that was joined to another are -inf."""
    n = len(similarity)
    members = [[point] for point in range(n)]
    remaining = set(range(n))
    joins: list[tuple[int, int]] = []
    chain: list[int] = []
    while len(remaining) > 1:
        if not chain:
            chain.append(min(remaining))
        last = chain[-1]
        nearest = int(similarity[last].argmax())
        previous = chain[-2] if len(chain) > 1 else None
        if previous is None or similarity[last, nearest] > similarity[last, previous]:
            chain.append(nearest)
            continue
        del chain[-2:]
        _join(similarity, members, previous, last)
        remaining.discard(last)
        joins.append((members[previous][0], len(members[previous])))
    order = np.array([point for group in sorted(remaining) for point in members[group]], dtype=np.intp)
    positions = np.argsort(order)
    starts = np.array([positions[first] for first, _ in joins], dtype=np.intp)
    return LinkageTree(order, starts, np.array([size for _, size in joins], dtype=np.intp))


def _join(similarity: NDArray[np.float32], members: list[list[int]], target: int, source: int) -> None:
    """Put the members of `source` behind those of `target`, whose row becomes the mean by their sizes."""
    sizes = len(members[target]), len(members[source])
    row: FloatArray = (sizes[0] * similarity[target] + sizes[1] * similarity[source]) / sum(sizes)
    row[[target, source]] = -np.inf
    similarity[target] = similarity[:, target] = row
    similarity[source] = similarity[:, source] = -np.inf
    members[target].extend(members[source])
    members[source] = []
