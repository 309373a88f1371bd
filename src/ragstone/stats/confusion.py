"""The confusion matrix of yes or no decisions: its four counts, the rates computed from them, and their intervals.

The intervals are closed forms that remain valid without any wrong decision. Every resample of twenty right decisions
out of twenty has twenty right ones: a bootstrap would claim certainty. Accuracy is a mean, so it gets a mean's
interval; balanced accuracy is the mean of two rates, whose intervals are combined as if the two classes were
independent.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import isfinite, nan

import numpy as np

from ragstone.stats._arrays import Numbers, labels01
from ragstone.stats._checks import same_length
from ragstone.stats.estimate import Estimate
from ragstone.stats.interval import Interval, mean_interval, mean_of_two_rates


@dataclass(frozen=True, slots=True)
class Confusion:
    """Counts of a judge's decisions by people's decisions; rates are NaN where their class is empty.

    Attributes:
        true_positive: both say yes.
        false_positive: the judge says yes, people no.
        false_negative: the judge says no, people yes.
        true_negative: both say no.
    """

    true_positive: int
    false_positive: int
    false_negative: int
    true_negative: int

    @property
    def n(self) -> int:
        """All decisions."""
        return self.true_positive + self.false_positive + self.false_negative + self.true_negative

    @property
    def accuracy(self) -> float:
        """Share of decisions that agree."""
        return _share(self.true_positive + self.true_negative, self.n)

    @property
    def sensitivity(self) -> float:
        """Share of people's yes that the judge found (recall)."""
        return _share(self.true_positive, self.true_positive + self.false_negative)

    @property
    def specificity(self) -> float:
        """Share of people's no that the judge found."""
        return _share(self.true_negative, self.true_negative + self.false_positive)

    @property
    def precision(self) -> float:
        """Share of the judge's yes that are right."""
        return _share(self.true_positive, self.true_positive + self.false_positive)

    @property
    def balanced_accuracy(self) -> float:
        """Mean of sensitivity and specificity: 0.5 for a judge that always says the same."""
        return (self.sensitivity + self.specificity) / 2.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and sensitivity."""
        return _share(
            2 * self.true_positive, 2 * self.true_positive + self.false_positive + self.false_negative
        )

    @property
    def kappa(self) -> float:
        """Cohen's kappa: agreement beyond the chance agreement at these two rates of yes."""
        wrong, n = self.false_positive + self.false_negative, self.n
        judged, labelled = self.true_positive + self.false_positive, self.true_positive + self.false_negative
        by_chance = judged * (n - labelled) + (n - judged) * labelled
        return 1.0 - wrong * n / by_chance if by_chance else nan


def confusion(labels: Numbers, decisions: Numbers) -> Confusion:
    """Count a judge's yes or no `decisions` by people's `labels`, both as 0 and 1 or bools.

    Raises:
        ValueError: Lengths differ, or an entry is neither 0 nor 1.
    """
    same_length(labels=labels, decisions=decisions)
    truth, judged = labels01(labels) == 1.0, labels01(decisions, "decisions") == 1.0
    return Confusion(
        true_positive=int(np.count_nonzero(truth & judged)),
        false_positive=int(np.count_nonzero(~truth & judged)),
        false_negative=int(np.count_nonzero(truth & ~judged)),
        true_negative=int(np.count_nonzero(~truth & ~judged)),
    )


def accuracy_estimate(
    labels: Numbers, decisions: Numbers, *, clusters: Sequence[Hashable] | None = None, level: float = 0.95
) -> Estimate:
    """Return the share of `decisions` (0 or 1) that equal the `labels`, with its interval."""
    same_length(labels=labels, decisions=decisions)
    right = (labels01(labels) == labels01(decisions, "decisions")).astype(np.float64)
    if not right.size:
        return Estimate(None, None)
    return Estimate(float(right.mean()), mean_interval(right, clusters, level))


def balanced_accuracy_estimate(
    labels: Numbers, decisions: Numbers, *, clusters: Sequence[Hashable] | None = None, level: float = 0.95
) -> Estimate:
    """Return the mean of sensitivity and specificity with its interval; undefined where a class is empty."""
    value = confusion(labels, decisions).balanced_accuracy
    if not isfinite(value):
        return Estimate(None, None)
    truth, judged = labels01(labels), labels01(decisions, "decisions")
    rates: list[tuple[float, Interval]] = []
    for label in (0.0, 1.0):
        places = np.flatnonzero(truth == label)
        right = (judged[places] == label).astype(np.float64)
        groups = None if clusters is None else [clusters[int(place)] for place in places]
        rates.append((float(right.mean()), mean_interval(right, groups, level)))
    units = min(interval.units for _, interval in rates)
    return Estimate(value, mean_of_two_rates(value, rates, truth.size, units))


def _share(part: int, whole: int) -> float:
    return part / whole if whole else nan
