"""Sampling by a hash, and the population mean estimated from a sample with unequal probabilities.

A case is drawn if the hash of its id, a number in [0, 1), is below its probability. Every process draws the same cases,
and a higher probability draws all cases that a lower one draws. A boost raises the probability of some cases; weights
of 1 / probability undo it.

With a cheap score f for all N cases and an expensive score y for the drawn ones, of probability π, the difference
estimate is

    mean = t · mean(f) + Σ_drawn (y - t f) / π  /  Σ_drawn 1 / π

which is near the mean of y over all N cases for every trust t (its bias is of order 1 / drawn, as of every ratio). Its
variance is smallest where t f is near y. A few errors of the cheap score with large weights skew its distribution,
which the interval allows for.
Source: Särndal, Swensson and Wretman (1992), chapter 6; power tuning of t: Angelopoulos et al. (2023),
arXiv:2311.01453; skewness: Hall (1992), "On the removal of skewness by transformation", JRSS B 54.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from math import cbrt, sqrt

from ragstone.stats._special import t_quantile

LEAST_EFFECTIVE = 30.0
"""Effective number of drawn cases below which there is no interval."""

_MIN_DRAWN = 2
_TOLERANCE = 1e-9
_HASH_RANGE = 2.0**64


def hash_uniform(salt: str, identifier: str) -> float:
    """Return a number in [0, 1) that is the same for the same salt and id, and uniform over ids."""
    data = identifier.encode("utf-8", "surrogatepass")
    digest = blake2b(data, digest_size=8, key=salt.encode()[:64]).digest()
    return (int.from_bytes(digest, "big") >> 11) * 2048 / _HASH_RANGE


@dataclass(frozen=True, slots=True)
class DrawnScore:
    """Scores of a drawn case.

    Attributes:
        cheap: its score by the judge of all cases, in [0, 1].
        dear: its score by the judge of the sample, in [0, 1].
        probability: probability with which it was drawn, in (0, 1].
    """

    cheap: float
    dear: float
    probability: float


@dataclass(frozen=True, slots=True)
class SampledMean:
    """The mean over all cases, estimated from a sample.

    Attributes:
        value: the estimate; None where no case was drawn.
        low: lower end of its interval; None where too few cases were drawn.
        high: upper end of the interval.
        drawn: number of drawn cases.
        effective: effective sample size: the number of equally likely cases with the same information about a mean.
        count: number of all cases.
    """

    value: float | None
    low: float | None
    high: float | None
    drawn: int
    effective: float
    count: int


def sampled_mean(
    cheap: Sequence[float], drawn: Sequence[DrawnScore], *, trust: float = 0.0, level: float = 0.95
) -> SampledMean:
    """Return the mean of the expensive score over all cases.

    The interval covers the mean of these cases, not of others like them.

    Args:
        cheap: cheap scores of all cases, the drawn ones included.
        drawn: the drawn cases, drawn independently of each other.
        trust: weight of the cheap score, in [0, 1], chosen without looking at these cases.
        level: nominal coverage of the interval.
    """
    count = len(cheap)
    if not drawn or not count:
        return SampledMean(None, None, None, len(drawn), 0.0, count)
    weights = [1 / case.probability for case in drawn]
    effective = sum(weights) ** 2 / sum(weight * weight for weight in weights)
    gaps = [case.dear - trust * case.cheap for case in drawn]
    # The Hajek form: the number of cases is known, so its random error is removed from the estimate and its variance.
    mean_gap = sum(w * gap for w, gap in zip(weights, gaps, strict=True)) / sum(weights)
    value = min(1.0, max(0.0, trust * sum(cheap) / count + mean_gap))
    spreads = [w * (gap - mean_gap) for w, gap in zip(weights, gaps, strict=True)]
    undrawn = [1 - case.probability for case in drawn]
    if not any(undrawn):
        return SampledMean(value, value, value, len(drawn), effective, count)
    if effective < LEAST_EFFECTIVE:
        return SampledMean(value, None, None, len(drawn), effective, count)
    if max(spreads) - min(spreads) < _TOLERANCE * sum(weights):
        # All gaps are equal: allow for as large a share of other gaps as could remain unseen at this level.
        below = above = sum(weights) * (1 - (0.5 - level / 2) ** (1 / effective))
    else:
        below, above = _interval_reach(spreads, undrawn, effective, level)
    low, high = max(0.0, value - below / sum(weights)), min(1.0, value + above / sum(weights))
    return SampledMean(value, low, high, len(drawn), effective, count)


def _interval_reach(
    spreads: Sequence[float], undrawn: Sequence[float], effective: float, level: float
) -> tuple[float, float]:
    """Return how far the interval of a weighted sum reaches below and above its estimate."""
    variance = sum(probability * spread**2 for probability, spread in zip(undrawn, spreads, strict=True))
    third_moment = sum(
        probability * (2 * probability - 1) * spread**3
        for probability, spread in zip(undrawn, spreads, strict=True)
    )
    standard_error = sqrt(variance)
    below, above = unskewed_quantiles(effective, third_moment / variance**1.5, level)
    return standard_error * below, standard_error * above


def unskewed_quantiles(effective: float, lean: float, level: float) -> tuple[float, float]:
    """Return how many standard errors an interval reaches below and above an estimate of skewness `lean`."""
    quantile = t_quantile(0.5 + level / 2, max(effective - 1, 1.0))
    return _unskewed_quantile(quantile, lean), -_unskewed_quantile(-quantile, lean)


def _unskewed_quantile(quantile: float, lean: float) -> float:
    """Return the quantile of a studentised mean whose estimate has the skewness `lean`, by Hall's transformation."""
    third = lean / 3
    if abs(third) < _TOLERANCE:
        return quantile
    return (cbrt(1 + 3 * third * (quantile - lean / 6)) - 1) / third


def tuned_trust(drawn: Sequence[DrawnScore]) -> float:
    """Return the trust fitted to an earlier window: the weighted slope of dear on cheap scores, clipped to [0, 1]."""
    if len(drawn) < _MIN_DRAWN:
        return 0.0
    weights = [1 / case.probability for case in drawn]
    total = sum(weights)
    cheap = sum(w * case.cheap for w, case in zip(weights, drawn, strict=True)) / total
    dear = sum(w * case.dear for w, case in zip(weights, drawn, strict=True)) / total
    variance = sum(w * (case.cheap - cheap) ** 2 for w, case in zip(weights, drawn, strict=True))
    covariance = sum(
        w * (case.cheap - cheap) * (case.dear - dear) for w, case in zip(weights, drawn, strict=True)
    )
    return min(1.0, max(0.0, covariance / variance)) if variance > 0 else 0.0
