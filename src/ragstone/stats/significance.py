"""Could the difference between two runs be chance? Swap them case by case and see how often it is as large.

If both runs are equally good, each case's two scores might as well have been swapped, which flips the sign of
its difference. The p-value is the share of all sign patterns whose |mean difference| reaches the observed
one: exact for any distribution of scores, however skewed or tied (Fisher 1935). Cases of one cluster are
flipped together.
"""

from collections.abc import Hashable, Sequence

import numpy as np

from ragstone.stats._arrays import FloatArray, cluster_codes, finite

_EXACT_UP_TO = 13
_SIGNS_AT_ONCE = 4_000_000
RESAMPLES = 9999


def sign_flip_p_value(
    differences: Sequence[float] | FloatArray,
    clusters: Sequence[Hashable] | None = None,
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> float:
    """Return the two-sided p-value of the mean of paired `differences` being 0.

    Every pattern is counted where at most 13 units differ; otherwise `resamples` random ones and the observed
    one (Phipson and Smyth 2010: p is never 0). No difference anywhere, or no case at all, gives 1.

    Args:
        differences: One number per case, after minus before.
        clusters: For each case the group that is flipped as one.
        seed: For the random patterns.
        resamples: How many random patterns; p is no finer than 1 / (resamples + 1).

    Raises:
        ValueError: A difference is not finite, or lengths differ.
    """
    array = finite(differences, "differences")
    codes = cluster_codes(clusters, array.size)
    sums = array if codes is None else np.bincount(codes, weights=array)
    sums = np.abs(sums[np.abs(sums) > 1e-12 * (1.0 + np.abs(array).max(initial=0.0))])
    observed = abs(float(array.sum()))
    # Patterns equal to the observed one in exact arithmetic must count as reaching it.
    reach = observed - 1e-9 * float(sums.sum())
    if not sums.size:
        return 1.0
    if sums.size <= _EXACT_UP_TO:
        numbers, places = np.arange(2**sums.size, dtype=np.int64), np.arange(sums.size, dtype=np.int64)
        signs = 1.0 - 2.0 * (np.right_shift.outer(numbers, places) % 2)
        return float(np.mean(np.abs(signs @ sums) >= reach))
    return (1 + _count_reaching(sums, reach, np.random.default_rng(seed), resamples)) / (resamples + 1)


def _count_reaching(sums: FloatArray, reach: float, rng: np.random.Generator, resamples: int) -> int:
    """Count random sign patterns with |sum| of at least `reach`; in blocks, so that memory stays bounded."""
    total, count = float(sums.sum()), 0
    row_bytes = -(-sums.size // 8)
    high, low = _half_byte_sums(sums, row_bytes)
    offsets = 16 * np.arange(row_bytes)
    at_once = max(1, _SIGNS_AT_ONCE // sums.size)
    for start in range(0, resamples, at_once):
        rows = min(at_once, resamples - start)
        noise = np.frombuffer(rng.bytes(rows * row_bytes), dtype=np.uint8).reshape(rows, row_bytes)
        flipped = high[(noise >> 4) + offsets].sum(axis=1) + low[(noise & 15) + offsets].sum(axis=1)
        count += int(np.count_nonzero(np.abs(total - 2.0 * flipped) >= reach))
    return count


def _half_byte_sums(sums: FloatArray, row_bytes: int) -> tuple[FloatArray, FloatArray]:
    """Return what four bits flip together, for each half of each byte: a look-up instead of a product per sign.

    The first bit of a byte is its highest. Sixteen sums for four numbers: four times their memory.
    """
    padded = np.zeros(8 * row_bytes)
    padded[: sums.size] = sums
    bits = (np.arange(16)[:, np.newaxis] >> np.array([3, 2, 1, 0])) % 2
    halves = padded.reshape(row_bytes, 2, 4) @ bits.T.astype(np.float64)
    return halves[:, 0].ravel(), halves[:, 1].ravel()
