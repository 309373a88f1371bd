"""Groups of similar cases that fail more often than the others: a scan over the tree of their similarity.

The tree is built without the failures. Each of its groups is compared with all other cases by the likelihood ratio of
two failure rates against one. The largest ratio of the tree is then compared with the largest ratio of the same tree
with randomly permuted failures: if failures are independent of the texts, a cluster is reported in at most a share
`rate` of datasets, for any number of groups tried. This is the tree-based scan statistic (Kulldorff, Fang and Walsh
2003, Biometrics 59) with cases instead of counts. Of overlapping groups the one with the largest ratio is reported.

The tree is that of average linkage (Sokal and Michener 1958): the most similar groups are joined first, and the
similarity of two groups is the mean over all pairs of their members. It is built by chains of nearest neighbours
(Murtagh 1983), which takes time and memory of the square of the number of cases.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragstone.stats._arrays import FloatArray, IntArray
from ragstone.stats._checks import same_length
from ragstone.stats.interval import Interval, rate_interval
from ragstone.stats.slices import rate_difference_interval

FEWEST = 5
"""Failures that a cluster must have."""

RESAMPLES = 999
_MAX_CELLS_PER_BLOCK = 1_000_000
"""Number of cases times permutations that are held in memory at once."""


@dataclass(frozen=True, slots=True)
class FailureCluster:
    """Similar cases that fail more often than the others.

    Attributes:
        members: places of the similar cases, in input order.
        missed: places of those that missed, the most typical first.
        failures: number of all failures.
        share: interval of the share of all failures that are in the cluster.
        rest_n: number of cases outside.
        rest_missed: how many of those missed.
        difference: share that missed in it minus share that missed outside.
        interval: interval of the difference.
        p_value: share of random permutations of the failures in which some group has as large a ratio.
    """

    members: tuple[int, ...]
    missed: tuple[int, ...]
    failures: int
    share: Interval
    rest_n: int
    rest_missed: int
    difference: float
    interval: Interval
    p_value: float


@dataclass(frozen=True, slots=True)
class FailureClusterSearch:
    """Result of a search for failure clusters.

    Attributes:
        found: the clusters, the largest number of failures first; no case is in two of them.
        tried: number of groups that were tried.
        rate: maximum share of datasets without such a cluster in which one is reported.
    """

    found: tuple[FailureCluster, ...]
    tried: int
    rate: float


def find_failure_clusters(
    vectors: NDArray[np.floating],
    missed: Sequence[bool],
    *,
    rate: float = 0.05,
    fewest: int = FEWEST,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> FailureClusterSearch:
    """Find groups of similar cases that fail more often than the others.

    The intervals have the level 1 - rate · reported / tried (Benjamini and Yekutieli 2005).

    Args:
        vectors: A row a case; similarity is the cosine. Time and memory grow with the square of the number of rows.
        missed: Whether each case missed. Cases count as independent.
        rate: Share of datasets without clusters in which one may be reported.
        fewest: Failures that a cluster must have; it has at most half of the cases.
        seed: Seed of the random permutations of the failures.
        resamples: Number of random permutations.

    Raises:
        ValueError: The lengths differ, or `vectors` has not two dimensions.
    """
    n = same_length(vectors=vectors, missed=missed)
    failure_mask = np.asarray(missed, dtype=bool)
    total = int(failure_mask.sum())
    if total < fewest or total == n:
        return FailureClusterSearch((), 0, rate)
    tree = average_linkage(vectors)
    is_candidate = (tree.sizes >= fewest) & (2 * tree.sizes <= n)
    tree = LinkageTree(tree.order, tree.starts[is_candidate], tree.sizes[is_candidate])
    if not len(tree.sizes):
        return FailureClusterSearch((), 0, rate)
    scan = _TreeScan(tree, n, total, fewest)
    ratios = scan.ratios(failure_mask[None, :])[0]
    largest = scan.largest(failure_mask, resamples, seed)
    reached_counts = [int(np.count_nonzero(largest >= ratio - 1e-9)) for ratio in ratios]
    p_values: FloatArray = (1.0 + np.array(reached_counts, dtype=np.float64)) / (resamples + 1.0)
    chosen = _without_overlaps(tree, ratios, p_values <= rate)
    level = 1.0 - rate * len(chosen) / len(tree.sizes)
    clusters = [
        _failure_cluster(scan, group, vectors, failure_mask, float(p_values[group]), level)
        for group in chosen
    ]
    return FailureClusterSearch(
        tuple(sorted(clusters, key=lambda cluster: -len(cluster.missed))), len(tree.sizes), rate
    )


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
    """Return the tree of points by the cosine of their vectors, one row each; a row of zeros is similar to no point.

    Raises:
        ValueError: `vectors` has not two dimensions.
    """
    if vectors.ndim != 2:  # noqa: PLR2004  (rows and columns)
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


class _TreeScan:
    """The likelihood ratios of all groups of a tree, for any permutation of the failures."""

    def __init__(self, tree: LinkageTree, n: int, total: int, fewest: int) -> None:
        self.tree, self.n, self.total, self.fewest = tree, n, total, fewest

    def ratios(self, deals: NDArray[np.bool_]) -> FloatArray:
        """Return the logarithm of each group's ratio, one row per permutation; `deals` has shape (deals, cases).

        It is 0 where a group fails no more often than the rest, or has too few failures.
        """
        sums = np.zeros((len(deals), self.n + 1), dtype=np.int64)
        np.cumsum(deals[:, self.tree.order], axis=1, out=sums[:, 1:])
        inside = sums[:, self.tree.starts + self.tree.sizes] - sums[:, self.tree.starts]
        outside, others = self.total - inside, self.n - self.tree.sizes
        overall = _log_likelihood(np.array(self.total), np.array(self.n))
        log_ratios = _log_likelihood(inside, self.tree.sizes) + _log_likelihood(outside, others) - overall
        is_worse = (inside * others > outside * self.tree.sizes) & (inside >= self.fewest)
        return np.where(is_worse, log_ratios, 0.0)

    def largest(self, bad: NDArray[np.bool_], resamples: int, seed: int) -> FloatArray:
        """Return the largest ratio of each of `resamples` random permutations of the failures."""
        rng = np.random.default_rng(seed)
        block_size = max(1, _MAX_CELLS_PER_BLOCK // self.n)
        sizes = [min(block_size, resamples - start) for start in range(0, resamples, block_size)]
        permutations = (rng.permuted(np.tile(bad, (size, 1)), axis=1) for size in sizes)
        return np.concatenate([self.ratios(rows).max(axis=1) for rows in permutations])

    def members(self, group: int) -> IntArray:
        """Return the places of the cases of a group, in input order."""
        start = self.tree.starts[group]
        return np.sort(self.tree.order[start : start + self.tree.sizes[group]])


def _log_likelihood(missed: IntArray, n: IntArray) -> FloatArray:
    """Return the maximum log-likelihood of `missed` failures among `n` cases."""
    hit, size = missed.astype(np.float64), n.astype(np.float64)
    passed = size - hit
    return hit * np.log(np.maximum(hit, 1.0) / size) + passed * np.log(np.maximum(passed, 1.0) / size)


def _without_overlaps(tree: LinkageTree, ratios: FloatArray, reported: NDArray[np.bool_]) -> list[int]:
    """Return the groups to report, the largest ratio first, without groups that overlap an earlier one."""
    chosen: list[int] = []
    taken = np.zeros(len(tree.order), dtype=bool)
    for group in np.argsort(-ratios, kind="stable"):
        span = slice(tree.starts[group], tree.starts[group] + tree.sizes[group])
        if reported[group] and ratios[group] > 0 and not taken[span].any():
            taken[span] = True
            chosen.append(int(group))
    return chosen


def _failure_cluster(  # noqa: PLR0917  (what is known of one group)
    scan: _TreeScan,
    group: int,
    vectors: NDArray[np.floating],
    failure_mask: NDArray[np.bool_],
    p_value: float,
    level: float,
) -> FailureCluster:
    members = scan.members(group)
    missed = members[failure_mask[members]]
    by_typicality = missed[np.argsort(-(vectors[missed] @ vectors[missed].mean(axis=0)), kind="stable")]
    rest_n, rest_missed = scan.n - len(members), scan.total - len(missed)
    return FailureCluster(
        members=tuple(members.tolist()),
        missed=tuple(by_typicality.tolist()),
        failures=scan.total,
        share=rate_interval(len(missed), scan.total, level=level),
        rest_n=rest_n,
        rest_missed=rest_missed,
        difference=len(missed) / len(members) - rest_missed / rest_n,
        interval=rate_difference_interval(len(missed), len(members), rest_missed, rest_n, level=level),
        p_value=p_value,
    )
