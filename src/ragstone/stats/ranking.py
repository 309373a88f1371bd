"""Quality of the ranking of supported above unsupported cases, independent of a threshold.

Ties are not resolved by luck: AUROC counts equal scores half, and average precision takes the mean over all
orders of each group of equal scores, as if ties were broken at random. Sorting them with the positives first
would overrate every coarse judge.
"""

from collections.abc import Callable
from math import nan

import numpy as np

from ragstone.stats._arrays import Numbers, labelled_scores
from ragstone.stats._special import normal_quantile
from ragstone.stats.correlation import mean_ranks
from ragstone.stats.interval import Interval


def auroc(labels: Numbers, scores: Numbers) -> float:
    """Return the chance in [0, 1] that a random positive scores above a random negative, ties counting half.

    Args:
        labels: 1 (or True) where people say yes.
        scores: The judge's, higher meaning yes; any scale.

    Returns:
        NaN where one class is missing.

    Raises:
        ValueError: Lengths differ, a label is not 0 or 1, a score is not finite.
    """
    truth, ranked = labelled_scores(labels, scores)
    positive = truth == 1.0
    n, yes = positive.size, int(positive.sum())
    if yes in {0, n}:
        return nan
    return (float(mean_ranks(ranked)[positive].sum()) - yes * (yes + 1) / 2) / (yes * (n - yes))


def average_precision(labels: Numbers, scores: Numbers) -> float:
    """Return the expected average precision in [0, 1] over all orders of equal scores.

    Average precision is the mean, over the positives, of the precision at their rank. In a group of t equal
    scores with p positives after N cases of which P are positive, a positive at place j of the group has an
    expected (P + 1 + (j - 1)(p - 1)/(t - 1)) positives up to it (McSherry and Najork 2008, ECIR). Where no
    scores are equal this is the usual average precision.

    Args:
        labels: 1 (or True) where people say yes.
        scores: The judge's, higher meaning yes; any scale.

    Returns:
        NaN where there is no positive.

    Raises:
        ValueError: Lengths differ, a label is not 0 or 1, a score is not finite.
    """
    positive, ranked = labelled_scores(labels, scores)
    yes = int(positive.sum())
    if yes == 0:
        return nan
    _, group = np.unique(-ranked, return_inverse=True)
    size = np.bincount(group)
    hits = np.bincount(group, weights=positive)
    start, hits_before = np.cumsum(size) - size, np.cumsum(hits) - hits
    position = np.arange(ranked.size) - np.repeat(start, size)
    slope = np.divide(hits - 1.0, size - 1.0, out=np.zeros(size.size), where=size > 1)
    expected = np.repeat(hits_before + 1.0, size) + position * np.repeat(slope, size)
    weight = np.repeat(hits / size, size)
    return float((weight * expected / np.arange(1, ranked.size + 1)).sum()) / yes


def auroc_interval(value: float, positives: int, negatives: int, *, level: float = 0.95) -> Interval:
    """Return an interval for an AUROC from its value and the class sizes alone, never of width 0.

    Newcombe 2006 (Statistics in Medicine 25:559), method 5: the AUROCs that the observed one does not
    contradict, with the variance of Hanley and McNeil taken at the value under trial, both classes counted
    alike.
    """
    quantile = normal_quantile((1.0 + level) / 2.0)

    def contradicted(trial: float) -> bool:
        shape = (1.0 - trial) / (2.0 - trial) + trial / (1.0 + trial)
        variance = trial * (1.0 - trial) * (1.0 + ((positives + negatives) / 2.0 - 1.0) * shape)
        return (trial - value) ** 2 * positives * negatives > quantile**2 * variance

    low = _interval_end(value, contradicted)
    high = 1.0 - _interval_end(1.0 - value, lambda trial: contradicted(1.0 - trial))
    return Interval(low, high, level, "newcombe", positives + negatives, min(positives, negatives))


def _interval_end(inside: float, contradicted: Callable[[float], bool]) -> float:
    """Bisect for the point where `contradicted` turns from true to false; 0, the end of the scale, if it never does."""
    outside = 0.0
    if not contradicted(outside):
        return outside
    for _ in range(60):
        middle = (outside + inside) / 2.0
        outside, inside = (middle, inside) if contradicted(middle) else (outside, middle)
    return inside
