import numpy as np
import pytest
from tests.testing.for_each import for_each

from ragstone.stats.failure_clusters import average_linkage


def groups(vectors: np.typing.NDArray[np.float64]) -> set[frozenset[int]]:
    tree = average_linkage(vectors)
    return {
        frozenset(tree.order[start : start + size].tolist())
        for start, size in zip(tree.starts, tree.sizes, strict=True)
    }


def joined_one_by_one(vectors: np.typing.NDArray[np.float64]) -> set[frozenset[int]]:
    """The definition: join the two groups with the largest mean cosine, again and again."""
    rows = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    similar = rows @ rows.T
    left, found = [[place] for place in range(len(rows))], set[frozenset[int]]()
    while len(left) > 1:
        pairs = [(one, other) for one in range(len(left)) for other in range(one)]
        one, other = max(pairs, key=lambda pair: similar[np.ix_(left[pair[0]], left[pair[1]])].mean())
        left = [*(group for at, group in enumerate(left) if at not in {one, other}), left[one] + left[other]]
        found.add(frozenset(left[-1]))
    return found


@for_each("seed", range(5))
def test_average_linkage_equals_its_definition(seed: int) -> None:
    vectors = np.random.default_rng(seed).normal(size=(24, 4))
    assert groups(vectors) == joined_one_by_one(vectors)


def test_average_linkage_of_equal_and_zero_vectors() -> None:
    vectors = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 0.0], [0.0, 2.0], [0.0, 5.0]])
    found = groups(vectors)
    assert {frozenset({0, 1}), frozenset({3, 4}), frozenset(range(5))} <= found
    assert len(found) == 4


def test_average_linkage_of_one_or_no_point_has_no_group() -> None:
    assert not groups(np.ones((1, 3)))
    assert not groups(np.ones((0, 3)))
    with pytest.raises(ValueError, match="one row per point"):
        average_linkage(np.ones(3))
