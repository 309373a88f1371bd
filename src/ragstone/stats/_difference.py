"""The mean of per-case differences in [-1, 1]: its interval, and the figures from which its power follows.

Few cases change between two runs, and often all in one direction. An interval from the variance of the differences
alone then covers as little as 79 %, since it knows nothing of the changes that were not seen. So gains and losses get a
score interval each (`interval.py`), which leaves room for unseen ones, and the two are joined by MOVER, the method of
variance estimates recovery (Newcombe 1998, Statistics in Medicine 17:2635; Zou and Donner 2008), with their
correlation r, which is negative since a case gains or loses, never both:

    low = D - sqrt(a² + b² - 2·r·a·b),  a = ḡ - low of ḡ,  b = high of l̄ - l̄,   and likewise for high.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np

from ragstone.stats._arrays import FloatArray, IntArray
from ragstone.stats._spread import spread
from ragstone.stats.interval import Interval, mean_interval


class ChangeFigures(NamedTuple):
    """What the power of a comparison follows from; see `power.py`.

    Attributes:
        variance: n · (variance of the mean difference), clusters counted.
        change: Typical size of a change, Σu² / Σ|u| over the units that changed: of one case, or of all cases of a
            cluster together. Where none changed, that of a unit which changes entirely.
    """

    variance: float
    change: float


def difference_interval(changes: FloatArray, codes: IntArray | None, level: float) -> Interval:
    """Return the interval of the mean of `changes`; a t interval where one of them exceeds 1."""
    if not changes.size or not within_unit(changes):
        return mean_interval(changes, codes, level, bounds=None if changes.size else (-1.0, 1.0))
    gains, losses = np.maximum(changes, 0.0), np.maximum(-changes, 0.0)
    gain, loss = (mean_interval(each, codes, level, bounds=(0.0, 1.0)) for each in (gains, losses))
    correlation = _correlation(gains, losses, codes)
    up, down, mean = float(gains.mean()), float(losses.mean()), float(changes.mean())
    below = _joined(up - gain.low, loss.high - down, correlation)
    above = _joined(gain.high - up, down - loss.low, correlation)
    return Interval(max(-1.0, mean - below), min(1.0, mean + above), level, "mover", gain.n, gain.units)


def change_figures(changes: FloatArray, codes: IntArray | None) -> ChangeFigures | None:
    """Return the figures for the power; None where the changes have no variance that could be told."""
    if changes.size == 0 or (changes.size == 1 and not within_unit(changes)):
        return None
    if changes.size == 1:
        return ChangeFigures(1.0, 1.0)
    units = changes if codes is None else np.bincount(codes, weights=changes)
    total = float(np.abs(units).sum())
    if total > 0.0:
        change = float((units**2).sum()) / total
    else:
        change = 1.0 if codes is None else float((np.bincount(codes) ** 2).sum()) / changes.size
    return ChangeFigures(changes.size * spread(changes, codes).variance, change)


def within_unit(changes: FloatArray) -> bool:
    """Return whether no change exceeds 1, so that the scores may lie in [0, 1]."""
    return bool(np.all(np.abs(changes) <= 1.0))


def _joined(first: float, second: float, correlation: float) -> float:
    return sqrt(max(0.0, first**2 + second**2 - 2.0 * correlation * first * second))


def _correlation(gains: FloatArray, losses: FloatArray, codes: IntArray | None) -> float:
    """Return the correlation of the mean gain and the mean loss; 0 where one of them does not vary."""
    first, second = gains - gains.mean(), losses - losses.mean()
    if codes is not None:
        first, second = np.bincount(codes, weights=first), np.bincount(codes, weights=second)
    scale = sqrt(float((first**2).sum()) * float((second**2).sum()))
    return max(-1.0, min(1.0, float((first * second).sum()) / scale)) if scale > 0.0 else 0.0
