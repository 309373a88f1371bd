"""Shares of several categories, such as the labels of a metric, with intervals that hold for all of them together.

Each share has a score interval (Wilson, with modified ends for one to three cases) at the level 1 - (1 - level)/k, k
being the number of categories: Goodman's construction (1965, Technometrics 7). With two categories, one share fixes the
other, so both have the full level. The intervals of Sison and Glaz (1995) are narrower on paper, but hold too rarely
with few cases, and there is no version for grouped cases (docs/explanation/statistics.md has the simulation). For
grouped cases the variance is that between groups.

A case whose label is undecided may belong to any category: its share counts neither for nor against one. The interval
runs from the lower end of that of the cases with the label to the upper end of that of the cases that may have it.
"""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from ragstone.stats._checks import check_categories, same_length
from ragstone.stats._special import beta_quantile
from ragstone.stats.bounded import bounded_pass_rate
from ragstone.stats.interval import Interval, clustered_rate_interval, rate_interval

if TYPE_CHECKING:
    from ragstone.stats.estimate import Estimate

K = TypeVar("K", bound=Hashable)
_TWO, _FEW = 2, 3


@dataclass(frozen=True, slots=True)
class LabelShare:
    """One label over the cases of a dataset.

    Attributes:
        label: The label.
        count: Cases that have it.
        low: Their share; None where there is no case.
        high: Their share if all undecided cases have it too.
        interval: For the share in the population; all intervals hold together at their dataset's level.
    """

    label: str
    count: int
    low: float | None
    high: float | None
    interval: Interval


@dataclass(frozen=True, slots=True)
class Shares:
    """The labels of a metric over one dataset.

    Attributes:
        n: Cases with a label, and undecided ones.
        undecided: Cases that may have any label.
        labels: Every category, in the metric's order, also those that no case has.
        groups: Number of independent groups that the n cases fall into; n where they are not grouped.
        level: Probability that all intervals hold at once.
    """

    n: int
    undecided: int
    labels: tuple[LabelShare, ...]
    groups: int
    level: float

    @property
    def too_few(self) -> bool:
        """Whether the numbers are computed from fewer than ten independent units."""
        return any(share.interval.too_few for share in self.labels)


def label_shares(
    labels: Sequence[str | None],
    categories: Sequence[str],
    *,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> Shares:
    """Return the share of each category among the labels, with simultaneous intervals.

    Args:
        labels: The label of each case; None where it is undecided.
        categories: All possible labels, also those that no case has: the intervals are wider for more.
        clusters: For each case the group it belongs to.
        level: Probability that all intervals hold at once.

    Raises:
        ValueError: A label is not a category, there is no category, or lengths differ.
    """
    counts = Counter(labels)
    undecided = counts.pop(None, 0)
    if clusters is None:
        return shares_of_counts(
            {name: counts[name] for name in counts if name is not None}, undecided, categories, level=level
        )
    same_length(labels=labels, clusters=clusters)
    if not categories:
        raise ValueError("categories is empty; give all possible labels")
    check_categories(counts, categories)
    single_level = level_of_each_share(level, len(categories))
    found: list[LabelShare] = []
    for name in categories:
        rate = bounded_pass_rate(
            [label == name for label in labels],
            [label in (name, None) for label in labels],
            clusters,
            single_level,
        )
        found.append(LabelShare(name, counts[name], rate.low, rate.high, rate.interval))
    return Shares(len(labels), undecided, tuple(found), found[0].interval.units, level)


def shares_of_counts(
    counts: Mapping[str, int], undecided: int, categories: Sequence[str], *, level: float = 0.95
) -> Shares:
    """Return the shares that `label_shares` gives for independent cases, from the number of cases of each label.

    Raises:
        ValueError: A label is not a category, or there is no category.
    """
    if not categories:
        raise ValueError("categories is empty; give all possible labels")
    check_categories(counts, categories)
    n = sum(counts.values()) + undecided
    single_level = level_of_each_share(level, len(categories))
    found: list[LabelShare] = []
    for name in categories:
        count = counts.get(name, 0)
        ends = [_share_interval(cases, n, single_level) for cases in (count, count + undecided)]
        low, high = (count / n, (count + undecided) / n) if n else (None, None)
        found.append(LabelShare(name, count, low, high, replace(ends[0], high=ends[1].high)))
    return Shares(n, undecided, tuple(found), n, level)


def _share_interval(count: int, n: int, level: float) -> Interval:
    """Return Wilson's interval with the ends next to 0 and 1 that Brown, Cai and DasGupta (2001) modify.

    Wilson's lower end is too high where one to three cases have a rare label: at 1 % and ten cases, one in ten datasets
    has such a case. There the end is that of an exact test whose whole error lies on that side.
    """
    found = rate_interval(count, n, level=level)
    low, high = found.low, found.high
    if 0 < count <= _FEW:
        low = min(low, beta_quantile(1.0 - level, count, n - count + 1))
    if 0 < n - count <= _FEW:
        high = max(high, beta_quantile(level, count + 1, n - count))
    return replace(found, low=low, high=high)


def level_of_each_share(level: float, categories: int) -> float:
    """Return the coverage that each of several shares needs for all of them to hold together at `level`."""
    return 1.0 - (1.0 - level) / (1 if categories <= _TWO else categories)


def simultaneous_shares(
    labels: Sequence[K],
    categories: Sequence[K],
    *,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> "Mapping[K, Estimate]":
    """Return the share of each category among the labels, with simultaneous intervals.

    Args:
        labels: The category of each case.
        categories: All possible categories, also those that no case has: the intervals are wider for more.
        clusters: For each case the group it belongs to.
        level: Probability that all intervals hold at once.

    Raises:
        ValueError: A label is not a category, lengths differ, or there is no case.
    """
    same_length(labels=labels, clusters=labels if clusters is None else clusters)
    if not labels:
        raise ValueError("there is no case to count")
    check_categories(labels, categories)
    from ragstone.stats.estimate import Estimate  # noqa: PLC0415  (imports numpy, which a short report does without)

    single_level = 1.0 - (1.0 - level) / len(categories)
    shares: dict[K, Estimate] = {}
    for category in categories:
        events = [label == category for label in labels]
        interval = clustered_rate_interval(events, clusters, level=single_level)
        shares[category] = Estimate(sum(events) / len(events), interval)
    return shares
