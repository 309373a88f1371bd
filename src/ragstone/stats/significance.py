"""Tests of whether a difference between two runs could be chance, and the correction for several of them.

`sign_flip_p_value` tests a mean difference. If both runs are equally good, each case's two scores might as well have
been swapped, which flips the sign of its difference. The p-value is the share of all sign patterns whose |mean
difference| reaches the observed one: exact for any distribution of scores, however skewed or tied (Fisher 1935). The
cases of one cluster are flipped together. Where at most half of the units differ, its mid-p may be used, which counts
patterns equal to the observed one half (Lancaster 1961): with few changes the exact test finds far less than its level
allows. With pass and fail the size of this rule was enumerated and never exceeds the level; where more than half
differ, that of mid-p can be 1.9 times the level (docs/explanation/statistics.md).

`mcnemar_p_value` tests a change of pass and fail (McNemar 1947, Psychometrika 12). If both runs are equally good, a
case that changed is as likely to have changed for the better as for the worse, so the number that got better is
binomial(changed, 1/2).

`fisher_p_value` tests whether two groups fail equally often (Fisher 1922): the number of failures in one group, given
the numbers of both, is then hypergeometric.

`holm` corrects p-values for the number of tests: among twenty metrics one will seem to have changed by chance.
`benjamini_hochberg` corrects them where many are tried and some false alarms among those reported are allowed.
"""

from collections.abc import Iterator
from math import comb
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ragstone.stats._arrays import Clusters, FloatArray, Numbers, cluster_codes, finite

_MAX_UNITS_FOR_EXACT = 13
_TIE_TOLERANCE = 1e-9
_SIGNS_PER_CALL = 4_000_000
"""Number of signs drawn with one call of the generator; another number draws other patterns."""

_MAX_PATTERN_BYTES = 1 << 25
"""Memory of the patterns that are counted together."""

_BYTES_PER_BLOCK = 512
_MIN_UNITS_PER_VALUE = 64
RESAMPLES = 9999


def sign_flip_p_value(
    differences: Numbers,
    clusters: Clusters | None = None,
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
    method: Literal["exact", "auto"] = "exact",
) -> float:
    """Return the two-sided p-value of the mean of paired `differences` being 0.

    Every pattern is counted where at most 13 units differ, or where all that differ do so by the same amount (then it
    is McNemar's test); otherwise `resamples` random ones and the observed one (Phipson and Smyth 2010: p is never 0).
    No difference anywhere, or no case at all, gives 1.

    Args:
        differences: One number per case, after minus before.
        clusters: For each case the group that is flipped as one.
        seed: For the random patterns.
        resamples: How many random patterns; p is no finer than 1 / (resamples + 1).
        method: `auto` is the mid-p where at most half of the units differ, otherwise exact.

    Raises:
        ValueError: A difference is not finite, or lengths differ.
    """
    array = finite(differences, "differences")
    codes = cluster_codes(clusters, array.size)
    sums = array if codes is None else np.bincount(codes, weights=array)
    units = sums.size
    sums = sums[np.abs(sums) > 1e-12 * (1.0 + np.abs(array).max(initial=0.0))]
    if not sums.size:
        return 1.0
    mid = method == "auto" and 2 * sums.size <= units
    sizes = np.abs(sums)
    if sizes.max() - sizes.min() <= _TIE_TOLERANCE * sizes.max():
        rose = int(np.count_nonzero(sums > 0.0))
        return mcnemar_p_value(rose, sums.size - rose, "mid_p" if mid else "exact")
    beyond, equal, patterns = _pattern_counts(sizes, abs(float(sums.sum())), seed, resamples)
    return (beyond + (equal / 2.0 if mid else equal)) / patterns


def _pattern_counts(sums: FloatArray, observed: float, seed: int, resamples: int) -> tuple[int, int, int]:
    """Return how many sign patterns exceed the observed |sum|, how many equal it, and how many there are."""
    # Patterns equal to the observed one in exact arithmetic must count as equal.
    tolerance = _TIE_TOLERANCE * float(sums.sum())
    if sums.size <= _MAX_UNITS_FOR_EXACT:
        patterns, bits = np.arange(2**sums.size, dtype=np.int64), np.arange(sums.size, dtype=np.int64)
        signs = 1.0 - 2.0 * (np.right_shift.outer(patterns, bits) % 2)
        return *_count_against(signs @ sums, observed, tolerance), patterns.size
    rng = np.random.default_rng(seed)
    values, counts = np.unique(np.round(sums, 12).astype(np.float64), return_counts=True)
    if values.size * _MIN_UNITS_PER_VALUE <= sums.size:
        # The number flipped of each size is binomial.
        flipped = rng.binomial(counts, 0.5, (resamples, values.size))
        beyond, equal = _count_against((counts - 2 * flipped) @ values, observed, tolerance)
    else:
        counted = [
            _count_against(drawn, observed, tolerance) for drawn in _pattern_sums(sums, rng, resamples)
        ]
        beyond, equal = sum(each[0] for each in counted), sum(each[1] for each in counted)
    return beyond, equal + 1, resamples + 1


def _count_against(sums: FloatArray, observed: float, tolerance: float) -> tuple[int, int]:
    sizes = np.abs(sums)
    beyond = int(np.count_nonzero(sizes > observed + tolerance))
    return beyond, int(np.count_nonzero(sizes >= observed - tolerance)) - beyond


def _pattern_sums(sums: FloatArray, rng: np.random.Generator, resamples: int) -> Iterator[FloatArray]:
    """Yield the sums under random sign patterns; in blocks, so that memory stays bounded."""
    total = float(sums.sum())
    padded_sums = np.zeros((-(-sums.size // 8), 8))
    padded_sums.ravel()[: sums.size] = sums
    for patterns in _sign_patterns(sums.size, rng, resamples):
        flipped = np.zeros(patterns.shape[1])
        for start in range(0, len(padded_sums), _BYTES_PER_BLOCK):
            block = slice(start, start + _BYTES_PER_BLOCK)
            for byte_sums, bits in zip(_byte_sums(padded_sums[block]), patterns[block], strict=True):
                flipped += byte_sums.take(bits, mode="clip")  # twice as quick as with a check of the range
        yield total - 2.0 * flipped


def _sign_patterns(units: int, rng: np.random.Generator, resamples: int) -> Iterator[NDArray[np.uint8]]:
    """Yield random patterns of signs as bytes, shape (eight units in a byte, patterns)."""
    row_bytes, patterns_per_call = -(-units // 8), max(1, _SIGNS_PER_CALL // units)
    block_size = max(1, _MAX_PATTERN_BYTES // (row_bytes * patterns_per_call)) * patterns_per_call
    for start in range(0, resamples, block_size):
        patterns = np.empty((row_bytes, min(block_size, resamples - start)), dtype=np.uint8)
        for first in range(0, patterns.shape[1], patterns_per_call):
            rows = min(patterns_per_call, patterns.shape[1] - first)
            drawn = np.frombuffer(rng.bytes(rows * row_bytes), dtype=np.uint8)
            patterns[:, first : first + rows] = drawn.reshape(rows, row_bytes).T
        yield patterns


def _byte_sums(units: FloatArray) -> FloatArray:
    """Return the sum flipped by the bits of each byte, shape (bytes, 256): a look-up instead of a product per sign."""
    bits = ((np.arange(16)[:, np.newaxis] >> np.array([3, 2, 1, 0])) % 2).T.astype(np.float64)
    high, low = units[:, :4] @ bits, units[:, 4:] @ bits
    return (high[:, :, np.newaxis] + low[:, np.newaxis, :]).reshape(-1, 256)


def mcnemar_p_value(better: int, worse: int, method: Literal["exact", "mid_p"] = "exact") -> float:
    """Return the two-sided p-value for `better` cases that now pass against `worse` that now fail.

    `exact` never exceeds its error level; `mid_p` counts the observed outcome half (Fagerland, Lydersen and
    Laake 2013, BMC Med. Res. Methodol. 13:91), which makes it less cautious and in practice still within the
    level.

    Raises:
        ValueError: A count is negative.
    """
    if better < 0 or worse < 0:
        raise ValueError(f"better is {better} and worse is {worse}; give counts of cases, 0 or more")
    changed, fewer = better + worse, min(better, worse)
    # Whole numbers of any size: no rounding before the one division at the end.
    term, tail = 1, 1
    for k in range(1, fewer + 1):
        term = term * (changed - k + 1) // k
        tail += term
    doubled = 2 * tail if method == "exact" else 2 * tail - term
    return min(1.0, doubled / 2**changed)


def fisher_p_value(missed: int, n: int, other_missed: int, other_n: int) -> float:
    """Return the two-sided p-value for `missed` of `n` cases in one group against `other_missed` of `other_n`.

    The sum of the probabilities of all tables that are no likelier than the observed one. Exact, in whole numbers.

    Raises:
        ValueError: A count is negative, or more cases missed than there are.
    """
    if not (0 <= missed <= n and 0 <= other_missed <= other_n):
        raise ValueError(
            f"{missed} of {n} and {other_missed} of {other_n} are invalid counts: give 0 <= missed <= n in both groups"
        )
    total = missed + other_missed
    low, high = max(0, total - other_n), min(total, n)
    term = comb(n, low) * comb(other_n, total - low)
    weights: list[int] = []
    for count in range(low, high + 1):
        weights.append(term)
        if count < high:  # the next from this one: each is a whole number
            term = term * (n - count) * (total - count) // ((count + 1) * (other_n - total + count + 1))
    observed = weights[missed - low]
    return min(1.0, sum(weight for weight in weights if weight <= observed) / sum(weights))


def benjamini_hochberg(p_values: Numbers) -> list[float]:
    """Return the p-values adjusted by Benjamini and Hochberg's step-up method (1995), in their order.

    Reporting where the adjusted value is at most 0.05 keeps the expected share of false alarms among what is reported
    at 5 %, for independent tests and for those that are positively dependent; where nothing is true it is the chance of
    any false alarm.

    Raises:
        ValueError: A p-value is outside [0, 1] or not a number.
    """
    array = _checked_p_values(p_values)
    order = np.argsort(array, kind="stable")[::-1]
    ranks = np.arange(array.size, 0, -1)
    adjusted = np.empty_like(array)
    adjusted[order] = np.minimum.accumulate(array[order] * array.size / ranks)
    return [float(value) for value in np.minimum(adjusted, 1.0)]


def holm(p_values: Numbers) -> list[float]:
    """Return the p-values adjusted by Holm's step-down method (1979, Scand. J. Statist. 6), in their order.

    Rejecting where the adjusted value is at most 0.05 keeps the chance of any false alarm among all metrics
    at 5 %, whatever their dependence; it is never weaker than Bonferroni's correction.

    Raises:
        ValueError: A p-value is outside [0, 1] or not a number.
    """
    array = _checked_p_values(p_values)
    order = np.argsort(array, kind="stable")
    adjusted = np.empty_like(array)
    adjusted[order] = np.maximum.accumulate(array[order] * np.arange(array.size, 0, -1))
    return [float(value) for value in np.minimum(adjusted, 1.0)]


def _checked_p_values(p_values: Numbers) -> FloatArray:
    array = finite(p_values, "p_values")
    outside = np.flatnonzero((array < 0.0) | (array > 1.0))
    if outside.size:
        raise ValueError(f"p_values[{outside[0]}] is {array[outside[0]]:g}; a p-value lies in [0, 1]")
    return array
