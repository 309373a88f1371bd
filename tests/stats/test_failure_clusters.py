import numpy as np
import pytest

from ragstone.stats import find_failure_clusters


def two_kinds(n: int, seed: int = 0) -> np.typing.NDArray[np.float64]:
    """Points around two directions, the first `n // 3` around one of them."""
    rng = np.random.default_rng(seed)
    centres = np.where(np.arange(n)[:, None] < n // 3, [[1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0]])
    return centres + rng.normal(scale=0.15, size=(n, 3))


def test_cluster_of_similar_failures_is_found() -> None:
    missed = [place < 18 or place % 20 == 0 for place in range(90)]
    search = find_failure_clusters(two_kinds(90), missed)
    (found,) = search.found
    assert set(found.members) == set(range(30))
    assert sorted(found.missed) == [place for place in range(30) if missed[place]]
    assert found.failures == sum(missed)
    assert (found.rest_n, found.rest_missed) == (60, sum(missed[30:]))
    assert found.difference == pytest.approx(19 / 30 - 3 / 60)
    assert 0 < found.interval.low < found.difference < found.interval.high
    assert found.share.low < 19 / 22 < found.share.high
    assert found.p_value == pytest.approx(0.001)
    assert search.tried > 10


def test_failure_clusters_do_not_depend_on_case_order() -> None:
    missed = np.array([place < 18 or place % 20 == 0 for place in range(90)])
    vectors = two_kinds(90)
    order = np.random.default_rng(1).permutation(90)
    (found,) = find_failure_clusters(vectors[order], missed[order].tolist()).found
    assert {int(order[place]) for place in found.members} == set(range(30))


def test_random_failures_are_reported_in_at_most_five_percent() -> None:
    """The level is exact by construction; 300 datasets leave room for chance: at most 5 % with 3 standard errors."""
    rng = np.random.default_rng(0)
    hits = 0
    for seed in range(300):
        missed = rng.permutation(np.arange(45) < 12).tolist()
        hits += bool(find_failure_clusters(two_kinds(45, seed), missed, resamples=99).found)
    assert 0 < hits / 300 <= 0.05 + 3 * (0.05 * 0.95 / 300) ** 0.5


def test_nothing_is_tried_with_too_few_failures_or_passes() -> None:
    vectors = two_kinds(30)
    for missed in ([True] * 30, [False] * 30, [True] * 4 + [False] * 26):
        assert find_failure_clusters(vectors, missed).tried == 0
    assert find_failure_clusters(np.zeros((0, 3)), []).tried == 0
    with pytest.raises(ValueError, match="one entry per case"):
        find_failure_clusters(vectors, [True])


def test_clusters_do_not_overlap_and_the_largest_is_first() -> None:
    rng = np.random.default_rng(2)
    # each of the two kinds that fail is near one that passes
    kinds = [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]]
    centres = np.repeat(kinds, [20, 14, 43, 43], axis=0)
    missed = [place < 34 or place % 15 == 0 for place in range(120)]
    first, second = find_failure_clusters(centres + rng.normal(scale=0.05, size=(120, 4)), missed).found
    assert (set(first.members), set(second.members)) == (set(range(20)), set(range(20, 34)))
