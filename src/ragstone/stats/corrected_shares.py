"""Shares of categories that a judge assigned, corrected by people's checks of a few cases.

The cases are drawn at random within each category of the judge, with a higher rate in rare ones. With W_h the share of
the judge's category h, and p_hc the share of its checked cases to which people gave category c,

    share of c = sum over h of W_h p_hc
    variance   = sum over h of W_h² p_hc (1 - p_hc) (1/n_h - 1/N_h) + share (1 - share) / N

It is unbiased for any error rate of the judge, since within a category only human labels count; a good judge makes the
categories pure and the intervals narrow. Double sampling for stratification: Cochran, Sampling Techniques, 1977,
section 12.2.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Generic, TypeVar

import numpy as np

from ragstone.stats._checks import check_categories
from ragstone.stats._special import normal_quantile
from ragstone.stats.estimate import Estimate
from ragstone.stats.interval import Interval, solve_score

K = TypeVar("K", bound=Hashable)

_MIN_CHECKS_PER_CATEGORY = 2
"""Minimum number of cases drawn from a category that has as many: a single case has no variance."""


@dataclass(frozen=True, slots=True)
class CorrectedShares(Generic[K]):
    """Shares according to people.

    Attributes:
        shares: share of each category, with simultaneous intervals.
        checked: number of cases that people checked.
        agreed: number of checked cases in which people agreed with the judge.
        confusion: number of checked cases by the judge's category and people's.
        unchecked: categories of the judge without a checked case, for which the judge's category is used.
    """

    shares: Mapping[K, Estimate]
    checked: int
    agreed: int
    confusion: Mapping[tuple[K, K], int]
    unchecked: tuple[K, ...]


def draw_checks(judged: Sequence[Hashable], size: int, *, seed: int = 0) -> list[int]:
    """Return the places of the cases to be checked, at random within each category of the judge, in order.

    Each category gets two, or all that it has, and the rest of `size` is allocated by the square root of the numbers:
    otherwise rare causes would never be checked.
    """
    rng = np.random.default_rng(seed)
    members: dict[Hashable, list[int]] = {}
    for index, label in enumerate(judged):
        members.setdefault(label, []).append(index)
    draw_counts = {label: min(_MIN_CHECKS_PER_CATEGORY, len(indices)) for label, indices in members.items()}
    while sum(draw_counts.values()) < min(size, len(judged)):
        unfilled = [label for label, indices in members.items() if draw_counts[label] < len(indices)]
        neediest = max(unfilled, key=lambda label: len(members[label]) ** 0.5 / (draw_counts[label] + 1))
        draw_counts[neediest] += 1
    drawn = (rng.permutation(indices)[: draw_counts[label]].tolist() for label, indices in members.items())
    return sorted(int(index) for indices in drawn for index in indices)


def correct_shares(
    judged: Sequence[K], checked: Mapping[int, K], categories: Sequence[K], *, level: float = 0.95
) -> CorrectedShares[K]:
    """Return the shares that people would find, from a judge's categories and human labels of some cases.

    Args:
        judged: the judge's category of each case.
        checked: place of a checked case → people's category.
        categories: all possible categories.
        level: probability that all intervals hold at once.

    Raises:
        ValueError: nothing is checked, a place or a category does not exist.
    """
    _check_arguments(judged, checked, categories)
    human_labels: dict[K, list[K]] = {label: [] for label in judged}
    for index, human in checked.items():
        human_labels[judged[index]].append(human)
    strata = [
        _Stratum(label, sum(judged_label == label for judged_label in judged), tuple(human))
        for label, human in human_labels.items()
    ]
    single_level = 1.0 - (1.0 - level) / len(categories)
    shares = {
        category: _corrected_share(category, strata, len(judged), single_level) for category in categories
    }
    confusion: dict[tuple[K, K], int] = {}
    for index, human in checked.items():
        confusion[judged[index], human] = confusion.get((judged[index], human), 0) + 1
    return CorrectedShares(
        shares=shares,
        checked=len(checked),
        agreed=sum(judged[index] == human for index, human in checked.items()),
        confusion=confusion,
        unchecked=tuple(stratum.label for stratum in strata if not stratum.said),
    )


@dataclass(frozen=True, slots=True)
class _Stratum(Generic[K]):
    """The cases of one category of the judge: their number, and people's categories of the checked ones."""

    label: K
    size: int
    said: tuple[K, ...]

    def rate(self, category: K) -> float:
        """Return the share of people's category among the checked cases; without any, the judge's category counts."""
        if not self.said:
            return float(category == self.label)
        return sum(word == category for word in self.said) / len(self.said)

    def variance(self, category: K) -> float:
        """Return the variance of that share; half a case of each kind is added, so that it is never 0."""
        n = len(self.said)
        if n >= self.size:
            return 0.0
        smoothed = (self.rate(category) * n + 0.5) / (n + 1.0)
        return smoothed * (1.0 - smoothed) * (1.0 / max(n, 1) - 1.0 / self.size)


def _corrected_share(category: K, strata: Sequence[_Stratum[K]], n: int, level: float) -> Estimate:
    weights = [stratum.size / n for stratum in strata]
    rates = [stratum.rate(category) for stratum in strata]
    value = min(1.0, max(0.0, sum(weight * rate for weight, rate in zip(weights, rates, strict=True))))
    variance = sum(
        weight**2 * stratum.variance(category) for weight, stratum in zip(weights, strata, strict=True)
    )
    quantile = normal_quantile((1.0 + level) / 2.0)
    clipped = min(1.0 - 0.5 / n, max(0.5 / n, value))
    share = variance / (clipped * (1.0 - clipped)) + 1.0 / n
    low, high = solve_score(value, min(share, inf), quantile)
    checked = sum(len(stratum.said) for stratum in strata)
    return Estimate(value, Interval(low, high, level, "double sampling", checked, checked))


def _check_arguments(judged: Sequence[K], checked: Mapping[int, K], categories: Sequence[K]) -> None:
    if not checked:
        raise ValueError("checked is empty: give at least one checked case")
    outside = [index for index in checked if not 0 <= index < len(judged)]
    if outside:
        raise ValueError(f"there is no case at place {outside[0]}: places go from 0 to {len(judged) - 1}")
    check_categories([*judged, *checked.values()], categories)
