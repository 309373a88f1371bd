"""Shares of several categories, with intervals that hold for all of them together.

Each share has a score interval at the level 1 - (1 - level)/k, k being the number of categories. For independent
cases that is the construction of Goodman (1965) for multinomial shares; for grouped cases the variance is that
between groups. A share of 0 has an interval too, unlike under the bootstrap, where a cause that was not seen would be
impossible.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

from ragstone.stats._sample import same_length
from ragstone.stats.estimate import Estimate
from ragstone.stats.interval import clustered_rate_interval

K = TypeVar("K", bound=Hashable)


def simultaneous_shares(
    labels: Sequence[K],
    categories: Sequence[K],
    *,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> Mapping[K, Estimate]:
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
    unknown = set(labels) - set(categories)
    if unknown:
        raise ValueError(f"{sorted(map(str, unknown))} are not in categories: give all possible categories")
    single_level = 1.0 - (1.0 - level) / len(categories)
    shares: dict[K, Estimate] = {}
    for category in categories:
        events = [label == category for label in labels]
        interval = clustered_rate_interval(events, clusters, level=single_level)
        shares[category] = Estimate(sum(events) / len(events), interval)
    return shares
