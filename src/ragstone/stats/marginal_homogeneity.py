"""Tests of whether the labels of the same cases are distributed alike in two runs.

The statistic is that of Stuart (1955, Biometrika 42) and Maxwell (1970, Br. J. Psychiatry 116): with u = (label after)
- (label before) of each case, as a vector with one entry for each category,

    T = d' S⁻ d,   d = Σu,   S = Σuu'

For cases in groups, u is summed over each group first. `p_value` is that of the permutations: if both runs are alike,
each case's two labels might as well have been swapped, which flips the sign of its u and leaves S as it is. It holds
for any number of cases, unlike the chi-square distribution, which T has only with many. All permutations are counted
where that is possible, by the numbers of cases with equal u; otherwise random ones and the observed one are. As for
means and pass rates, permutations with exactly the observed T count half where at most half of the units changed
(mid-p; `significance.py`). With two categories this is McNemar's test.
"""

from dataclasses import dataclass
from math import exp, lgamma, log, prod

import numpy as np

from ragstone.stats._arrays import FloatArray, IntArray
from ragstone.stats.significance import RESAMPLES

_MAX_COUNTED = 100_000
_DRAWS_AT_ONCE = 2_000_000
_TIE_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class HomogeneityTest:
    """The test of equal shares of all labels.

    Attributes:
        statistic: T; 0 where nothing changed.
        df: Degrees of freedom: the number of categories that can vary, minus 1.
        p_value: Of the permutations.
    """

    statistic: float
    df: int
    p_value: float


def stuart_maxwell(
    before: IntArray,
    after: IntArray,
    categories: int,
    codes: IntArray | None = None,
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> HomogeneityTest:
    """Return the Stuart-Maxwell test of cases in two runs, given by the places of their categories, from 0."""
    units = _changes(before, after, categories, codes)
    changed = units[np.any(units != 0.0, axis=1)]
    if not len(changed):
        return HomogeneityTest(0.0, 0, 1.0)
    inverse = np.linalg.pinv(changed.T @ changed, hermitian=True).astype(np.float64)
    df = int(np.linalg.matrix_rank(changed.T @ changed, hermitian=True))
    statistic = float(_statistics(changed.sum(axis=0)[np.newaxis, :], inverse)[0])
    beyond, equal = _permuted(changed, inverse, statistic, seed, resamples)
    half = 2 * len(changed) <= len(units)
    return HomogeneityTest(statistic, df, min(1.0, beyond + (equal / 2.0 if half else equal)))


def _changes(before: IntArray, after: IntArray, categories: int, codes: IntArray | None) -> FloatArray:
    """Return u of each unit, shape (units, categories)."""
    cases = np.arange(before.size)
    changes = np.zeros((before.size, categories))
    np.add.at(changes, (cases, after), 1.0)
    np.add.at(changes, (cases, before), -1.0)
    if codes is None:
        return changes
    grouped = np.zeros((int(codes.max(initial=-1)) + 1, categories))
    np.add.at(grouped, codes, changes)
    return grouped


def _statistics(sums: FloatArray, inverse: FloatArray) -> FloatArray:
    return np.einsum("ij,jk,ik->i", sums, inverse, sums)


def _permuted(
    changed: FloatArray, inverse: FloatArray, observed: float, seed: int, resamples: int
) -> tuple[float, float]:
    """Return the share of sign patterns whose statistic exceeds the observed one, and of those that equal it."""
    first = np.argmax(changed != 0.0, axis=1)
    signs = np.sign(changed[np.arange(len(changed)), first])
    rows, counts = np.unique(changed * signs[:, np.newaxis], axis=0, return_counts=True)
    tolerance = _TIE_TOLERANCE * (1.0 + observed)
    if prod((int(count) + 1 for count in counts), start=1) <= _MAX_COUNTED:
        sums, weights = np.zeros((1, changed.shape[1])), np.ones(1)
        for row, count in zip(rows, counts.tolist(), strict=True):
            steps = np.multiply.outer(count - 2.0 * np.arange(count + 1, dtype=np.float64), row)
            sums = np.concatenate([sums + step for step in steps])
            weights = np.outer(_binomial_halves(count), weights).ravel()
        found = _statistics(sums, inverse)
        beyond, equal = found > observed + tolerance, np.abs(found - observed) <= tolerance
        return float(weights[beyond].sum()), float(weights[equal].sum())
    rng, beyond, equal = np.random.default_rng(seed), 0, 0
    block = max(1, _DRAWS_AT_ONCE // len(rows))
    for start in range(0, resamples, block):
        flipped = rng.binomial(counts, 0.5, (min(block, resamples - start), len(rows)))
        found = _statistics((counts - 2.0 * flipped) @ rows, inverse)
        beyond += int(np.count_nonzero(found > observed + tolerance))
        equal += int(np.count_nonzero(np.abs(found - observed) <= tolerance))
    return beyond / (resamples + 1), (equal + 1) / (resamples + 1)


def _binomial_halves(count: int) -> FloatArray:
    """Return the probabilities of 0 to `count` heads of a fair coin."""
    whole = lgamma(count + 1) - count * log(2.0)
    return np.array([exp(whole - lgamma(k + 1) - lgamma(count - k + 1)) for k in range(count + 1)])
