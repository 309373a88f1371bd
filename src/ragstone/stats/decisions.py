"""Accuracy and balanced accuracy of yes or no decisions, with their intervals.

Closed forms that remain valid without any wrong decision. Every resample of twenty right decisions out of
twenty has twenty right ones: a bootstrap would claim certainty. Accuracy is a mean, so it gets a mean's
interval; balanced accuracy is the mean of two rates, whose intervals are combined by squaring and adding
(Newcombe 1998, Statistics in Medicine 17:873; MOVER), as if the two classes were independent.
"""

from collections.abc import Hashable, Sequence
from math import isfinite, sqrt

import numpy as np

from ragstone.stats._arrays import BoolArray, Numbers, labels01
from ragstone.stats._sample import same_length
from ragstone.stats.confusion import confusion
from ragstone.stats.estimate import Estimate
from ragstone.stats.interval import Interval, mean_interval


def accuracy_estimate(
    labels: Numbers,
    decisions: Numbers,
    *,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> Estimate:
    """Return the share of `decisions` (0 or 1) that equal the `labels`, with its interval.

    Raises:
        ValueError: Lengths differ, or an entry is neither 0 nor 1.
    """
    same_length(labels=labels, decisions=decisions)
    right = (labels01(labels) == labels01(decisions, "decisions")).astype(np.float64)
    if not right.size:
        return Estimate(None, None)
    return Estimate(float(right.mean()), mean_interval(right, clusters, level))


def balanced_accuracy_estimate(
    labels: Numbers,
    decisions: Numbers,
    *,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> Estimate:
    """Return the mean of sensitivity and specificity with its interval; undefined where a class is empty.

    Raises:
        ValueError: Lengths differ, or an entry is neither 0 nor 1.
    """
    value = confusion(labels, decisions).balanced_accuracy
    if not isfinite(value):
        return Estimate(None, None)
    truth, judged = labels01(labels), labels01(decisions, "decisions")
    rates = [_class_rate(truth == label, judged == label, clusters, level) for label in (0.0, 1.0)]
    below = sqrt(sum((rate - interval.low) ** 2 for rate, interval in rates)) / 2.0
    above = sqrt(sum((interval.high - rate) ** 2 for rate, interval in rates)) / 2.0
    units = min(interval.units for _, interval in rates)
    return Estimate(
        value,
        Interval(max(0.0, value - below), min(1.0, value + above), level, "mover", truth.size, units),
    )


def _class_rate(
    members: BoolArray,
    right: BoolArray,
    clusters: Sequence[Hashable] | None,
    level: float,
) -> tuple[float, Interval]:
    class_right = right[members].astype(np.float64)
    groups = None if clusters is None else [clusters[int(i)] for i in np.flatnonzero(members)]
    return float(class_right.mean()), mean_interval(class_right, groups, level)
