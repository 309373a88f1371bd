"""The confusion matrix of yes or no decisions: its four counts, and the rates computed from them."""

from dataclasses import dataclass
from math import nan

import numpy as np

from ragstone.stats._arrays import Numbers, labels01
from ragstone.stats._sample import same_length


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


def confusion(
    labels: Numbers,
    decisions: Numbers,
) -> Confusion:
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


def _share(part: int, whole: int) -> float:
    return part / whole if whole else nan
