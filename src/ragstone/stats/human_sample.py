"""The mean of human verdicts over all cases, estimated from verdicts on a random part of a sample.

A cheap score f is known for all N cases, an expensive score y for the drawn ones (probability π), and a human verdict h
for a part of those (probability p ≤ π). The estimate corrects twice:

    mean = m · (t · mean(f) + mean_π(y - t f)) + mean_p(h - m y)

where mean_π and mean_p weight each case by 1 / probability. It is near the mean of h over all N cases for all trusts t
and m (its bias is of order 1 / verdicts); the better y follows people, the narrower is the interval. The draw of a case
decides both corrections at once, so their moments are taken together: for a case whose parts are A with probability π
and A + B with probability p, second and third central moments are those of a variable with these three values,
estimated from the cases of which both parts are known. One disagreement by 1 is added to the variance: where people
nearly always agree with the judge, a few verdicts show no disagreement.
Source: Särndal, Swensson and Wretman (1992), chapter 9 (two phases); trusts: Angelopoulos et al. (2023),
arXiv:2311.01453; skewness: Hall (1992), as in `hash_sampling`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, sqrt

from ragstone.stats.hash_sampling import (
    LEAST_EFFECTIVE,
    DrawnScore,
    SampledMean,
    sampled_mean,
    unskewed_quantiles,
)

_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class HumanScore:
    """Human score of a case that the judge of the sample judged as well.

    Attributes:
        drawn: its scores by both judges.
        human: its score by people, in [0, 1]: 1 for good, 0 for bad.
        probability: probability with which people judged it, in (0, 1], at most that of the judge of the sample.
    """

    drawn: DrawnScore
    human: float
    probability: float


def human_mean(
    cheap: Sequence[float],
    drawn: Sequence[DrawnScore],
    people: Sequence[HumanScore],
    *,
    trust: float = 0.0,
    human_trust: float = 0.0,
    level: float = 0.95,
) -> SampledMean:
    """Return the mean of people's scores over all cases; its `drawn` counts their verdicts.

    The interval covers the mean of these cases, not of others like them.

    Args:
        cheap: cheap scores of all cases.
        drawn: cases with an expensive score, including those that people judged.
        people: cases that people judged.
        trust: weight of the cheap score for the expensive one, in [0, 1], chosen without looking at these cases.
        human_trust: weight of the expensive score for people's, likewise.
        level: nominal coverage of the interval.
    """
    count, drawn_mean = len(cheap), sampled_mean(cheap, drawn, trust=trust, level=level)
    if not people or drawn_mean.value is None:
        return SampledMean(None, None, None, len(people), 0.0, count)
    weights = [1 / case.probability for case in people]
    effective = sum(weights) ** 2 / sum(weight * weight for weight in weights)
    gaps = [case.human - human_trust * case.drawn.dear for case in people]
    people_gap = sum(w * gap for w, gap in zip(weights, gaps, strict=True)) / sum(weights)
    drawn_gap = _weighted_mean([(1 / case.probability, case.dear - trust * case.cheap) for case in drawn])
    total_weight = sum(1 / case.probability for case in drawn)

    def drawn_part(case: DrawnScore) -> float:
        return human_trust * (case.dear - trust * case.cheap - drawn_gap) / case.probability / total_weight

    value = min(1.0, max(0.0, human_trust * (trust * sum(cheap) / count + drawn_gap) + people_gap))
    without_interval = SampledMean(value, None, None, len(people), effective, count)
    if min(effective, drawn_mean.effective if human_trust else effective) < LEAST_EFFECTIVE:
        return without_interval
    parts = [
        (
            drawn_part(case.drawn),
            weight * (gap - people_gap) / sum(weights),
            case.drawn.probability,
            case.probability,
        )
        for case, gap, weight in zip(people, gaps, weights, strict=True)
    ]
    variance, third_moment = _moments([(drawn_part(case), case.probability) for case in drawn], parts)
    rest = 1 - sum(weights) / sum(weight * weight for weight in weights)
    variance += rest / effective**2  # one more disagreement by 1: few verdicts may show too few
    unseen_share = 0.0
    if max(gaps) - min(gaps) < _TOLERANCE and any(case.probability < 1 for case in people):
        # All gaps are equal: allow for as large a share of other gaps as could remain unseen at this level.
        unseen_share = 1 - (0.5 - level / 2) ** (1 / effective)
    error = sqrt(max(0.0, variance))
    lean = third_moment / error**3 if error > _TOLERANCE else 0.0
    below, above = unskewed_quantiles(effective, lean, level)
    low, high = value - hypot(error * below, unseen_share), value + hypot(error * above, unseen_share)
    return SampledMean(value, max(0.0, low), min(1.0, high), len(people), effective, count)


def _weighted_mean(weighted: Sequence[tuple[float, float]]) -> float:
    return sum(weight * gap for weight, gap in weighted) / sum(weight for weight, _ in weighted)


def _moments(
    drawn: Sequence[tuple[float, float]], judged: Sequence[tuple[float, float, float, float]]
) -> tuple[float, float]:
    """Return the second and third central moment, from A, π of each drawn case and A, B, π, p of each judged one."""
    variance = sum((1 - pi) * a * a for a, pi in drawn)
    third_moment = sum((1 - pi) * (1 - 2 * pi) * a**3 for a, pi in drawn)
    for a, b, pi, p in judged:
        variance += (1 - p) * b * b + 2 * (1 - pi) * a * b
        mean, square = pi * a + p * b, b * b + 2 * a * b
        third_moment += 3 * a * a * b + 3 * a * b * b + b**3
        third_moment -= 3 * (pi * a * a * b + mean * square)
        third_moment += 2 * (3 * (pi * a) ** 2 * b + 3 * pi * a * p * b * b + p * p * b**3)
    return variance, third_moment
