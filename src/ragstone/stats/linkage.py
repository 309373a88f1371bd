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
    similar = rows @ rows.T
    np.fill_diagonal(similar, -np.inf)
    return _build_tree(similar)


def _build_tree(similar: NDArray[np.float32]) -> LinkageTree:
    """Join until one group is left; row and column of a group that was joined to another are -inf."""
    n = len(similar)
    members = [[point] for point in range(n)]
    left = set(range(n))
    joined: list[tuple[int, int]] = []
    chain: list[int] = []
    while len(left) > 1:
        if not chain:
            chain.append(min(left))
        last = chain[-1]
        nearest = int(similar[last].argmax())
        before = chain[-2] if len(chain) > 1 else None
        if before is None or similar[last, nearest] > similar[last, before]:
            chain.append(nearest)
            continue
        del chain[-2:]
        _join(similar, members, before, last)
        left.discard(last)
        joined.append((members[before][0], len(members[before])))
    order = np.array([point for group in sorted(left) for point in members[group]], dtype=np.intp)
    places = np.argsort(order)
    starts = np.array([places[first] for first, _ in joined], dtype=np.intp)
    return LinkageTree(order, starts, np.array([size for _, size in joined], dtype=np.intp))


def _join(similar: NDArray[np.float32], members: list[list[int]], one: int, other: int) -> None:
    """Put the members of `other` behind those of `one`, whose row becomes the mean by their sizes."""
    sizes = len(members[one]), len(members[other])
    row: FloatArray = (sizes[0] * similar[one] + sizes[1] * similar[other]) / sum(sizes)
    row[[one, other]] = -np.inf
    similar[one] = similar[:, one] = row
    similar[other] = similar[:, other] = -np.inf
    members[one].extend(members[other])
    members[other] = []
