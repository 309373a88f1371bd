"""Slices: groups of cases that fail more often than the others, with the number of groups tried taken into account.

A slice consists of all cases with one label, or with two labels of different kinds, such as (release, 2.1) and
(question word, how). Each slice is compared with all other cases by Fisher's exact test; Benjamini and Hochberg's
correction over all tried slices keeps the expected share of false alarms among the reported ones at `rate`. Since
the largest differences are selected, the intervals of reported slices have the level 1 - rate · reported / tried
(Benjamini and Yekutieli 2005).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ragstone.stats._checks import same_length
from ragstone.stats.interval import Interval, rate_interval
from ragstone.stats.significance import benjamini_hochberg, fisher_p_value

Label = tuple[str, str]
"""Kind and value, such as ("release", "2.1")."""

FEWEST = 10
"""Minimum number of cases inside and outside of a slice."""


@dataclass(frozen=True, slots=True)
class Slice:
    """Cases with one label, or with two, that fail more often than the others.

    Attributes:
        labels: labels that the cases have in common.
        n: Number of cases in it.
        missed: How many of them missed.
        rest_n: Number of all other cases.
        rest_missed: How many of those missed.
        difference: Share that missed in it minus share that missed outside.
        interval: Interval of the difference, at the level that accounts for the selection.
        p_value: Two-sided p-value of Fisher's test.
        adjusted_p: The same, corrected for all slices that were tried.
    """

    labels: tuple[Label, ...]
    n: int
    missed: int
    rest_n: int
    rest_missed: int
    difference: float
    interval: Interval
    p_value: float
    adjusted_p: float


@dataclass(frozen=True, slots=True)
class SliceSearch:
    """Result of a search for slices.

    Attributes:
        found: slices that fail more often, the smallest adjusted p-value first.
        tried: number of slices that were tested.
        rate: the expected share of false alarms among `found`.
    """

    found: tuple[Slice, ...]
    tried: int
    rate: float


def find_slices(
    labels: Sequence[Sequence[Label]],
    missed: Sequence[bool],
    *,
    rate: float = 0.05,
    fewest: int = FEWEST,
    most_labels: int = 2,
) -> SliceSearch:
    """Find the groups of cases that fail more often than the others.

    Args:
        labels: The labels of each case; several of one kind are allowed, as with tags.
        missed: Whether each case missed. Cases count as independent.
        rate: Expected share of false alarms among the reported slices.
        fewest: Minimum number of cases inside and outside of a slice.
        most_labels: 1 or 2 labels per slice.

    Raises:
        ValueError: The lengths differ, or `most_labels` is neither 1 nor 2.
    """
    n = same_length(labels=labels, missed=missed)
    if most_labels not in (1, 2):
        raise ValueError(f"most_labels is {most_labels}: write 1 or 2")
    failure_mask = np.asarray(missed, dtype=bool)
    groups = list(_groups(labels, n, fewest, most_labels))
    counts = [(int(mask.sum()), int(failure_mask[mask].sum())) for _, mask in groups]
    total = int(failure_mask.sum())
    p_values = [fisher_p_value(hit, size, total - hit, n - size) for size, hit in counts]
    adjusted = benjamini_hochberg(p_values) if p_values else []
    reported = [index for index, value in enumerate(adjusted) if value <= rate]
    level = 1.0 - rate * len(reported) / len(groups) if reported else 1.0 - rate
    reported_slices = [
        _slice(groups[index][0], *counts[index], n, total, p_values[index], adjusted[index], level)
        for index in reported
    ]
    worse = sorted(
        (candidate for candidate in reported_slices if candidate.difference > 0),
        key=lambda candidate: (candidate.adjusted_p, -candidate.difference),
    )
    return SliceSearch(tuple(worse), len(groups), rate)


def _groups(
    labels: Sequence[Sequence[Label]], n: int, fewest: int, most_labels: int
) -> Iterator[tuple[tuple[Label, ...], NDArray[np.bool_]]]:
    """Yield labels and members of each slice that is large enough; of several with the same members the first."""
    members: dict[Label, list[int]] = {}
    for index, row in enumerate(labels):
        for label in set(row):
            members.setdefault(label, []).append(index)
    singles: dict[Label, NDArray[np.bool_]] = {}
    for label in sorted(members):
        if len(members[label]) >= fewest:
            mask = np.zeros(n, dtype=bool)
            mask[members[label]] = True
            singles[label] = mask
    seen: set[bytes] = set()
    pairs = combinations(singles, 2) if most_labels > 1 else ()
    for combination in [*((label,) for label in singles), *pairs]:
        if len({kind for kind, _ in combination}) < len(combination):
            continue
        mask = np.logical_and.reduce([singles[label] for label in combination])
        size, key = int(mask.sum()), mask.tobytes()
        if fewest <= size <= n - fewest and key not in seen:
            seen.add(key)
            yield combination, mask


def _slice(  # noqa: PLR0917  (the figures of one two-by-two table)
    labels: tuple[Label, ...],
    size: int,
    hit: int,
    n: int,
    total: int,
    p_value: float,
    adjusted_p: float,
    level: float,
) -> Slice:
    rest_n, rest_hit = n - size, total - hit
    return Slice(
        labels=labels,
        n=size,
        missed=hit,
        rest_n=rest_n,
        rest_missed=rest_hit,
        difference=hit / size - rest_hit / rest_n,
        interval=rate_difference_interval(hit, size, rest_hit, rest_n, level=level),
        p_value=p_value,
        adjusted_p=adjusted_p,
    )


def rate_difference_interval(
    missed: int, n: int, other_missed: int, other_n: int, *, level: float = 0.95
) -> Interval:
    """Return an interval for the difference of two rates of independent groups (Newcombe 1998, method 10).

    It is combined from the Wilson intervals of both rates, and never leaves [-1, 1].

    Raises:
        ValueError: Counts or level are invalid, or a group has no case.
    """
    if not (n and other_n):
        raise ValueError("a group has no cases, so there is no rate to compare")
    interval = rate_interval(missed, n, level=level)
    other_interval = rate_interval(other_missed, other_n, level=level)
    rate, other_rate = missed / n, other_missed / other_n
    difference = rate - other_rate
    below = float(np.hypot(rate - interval.low, other_interval.high - other_rate))
    above = float(np.hypot(interval.high - rate, other_rate - other_interval.low))
    return Interval(difference - below, difference + above, level, "newcombe", n + other_n, n + other_n)
