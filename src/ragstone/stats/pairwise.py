"""Agreement of a judge's preferences with people's, over pairs of answers to one question.

The protocol of RAGChecker's meta-evaluation (arXiv:2408.08067, section 4.2): people rate on a scale from -2 to
2 how much better the second answer is; the rating of a metric is the difference of its two scores; the two
ratings are correlated.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ragstone.stats._arrays import FloatArray, Numbers, finite
from ragstone.stats._checks import same_length
from ragstone.stats.ceiling import RESAMPLES, Ceiling, Ratings, human_ceiling
from ragstone.stats.correlation import correlations, pearson
from ragstone.stats.estimate import Estimate, estimates


@dataclass(frozen=True, slots=True)
class PairwiseAgreement:
    """A judge's preferences compared with people's over pairs; every estimate with its interval.

    Attributes:
        n: Pairs.
        pearson: Linear correlation of preference and difference of scores.
        spearman: Correlation of their ranks.
        kendall: tau-b.
        accuracy: Share of the pairs with a human preference in which the judge prefers the same side; half a
            point where the judge sees no difference.
        ceiling: Of Pearson's r between annotators, where there are several.
    """

    n: int
    pearson: Estimate
    spearman: Estimate
    kendall: Estimate
    accuracy: Estimate
    ceiling: Ceiling | None


def agree_on_pairs(
    preferences: Numbers,
    first: Numbers,
    second: Numbers,
    *,
    annotators: Ratings | None = None,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> PairwiseAgreement:
    """Compare the difference of a judge's scores of two answers with people's preference.

    Args:
        preferences: How much better the second answer is, negative where the first is; any symmetric scale.
        first: The judge's score of each pair's first answer.
        second: The judge's score of each pair's second answer.
        annotators: For each pair the single annotators' preferences.
        clusters: For each pair the group it belongs to (its question).
        level: Nominal coverage of the intervals.
        seed: For the bootstrap.
        resamples: Bootstrap resamples.

    Raises:
        ValueError: Lengths differ, there is no pair, or an entry is not finite.
    """
    if not same_length(preferences=preferences, first=first, second=second):
        raise ValueError("there is no pair; give at least one")
    wanted = finite(preferences, "preferences")
    margin = finite(second, "second") - finite(first, "first")
    options: dict[str, Any] = {"clusters": clusters, "level": level, "seed": seed, "resamples": resamples}

    def measure(wanted: FloatArray, margin: FloatArray) -> list[float]:
        return [*correlations(wanted, margin), preference_accuracy(wanted, margin)]

    return PairwiseAgreement(
        wanted.size,
        *estimates(measure, wanted, margin, **options),
        ceiling=None if annotators is None else human_ceiling(annotators, margin, pearson, **options),
    )


def preference_accuracy(wanted: FloatArray, margin: FloatArray) -> float:
    """Return the share of non-zero preferences with the same sign as the margin; a margin of 0 counts half."""
    decided = wanted != 0.0
    if not decided.any():
        return float("nan")
    return float(np.mean(0.5 + 0.5 * np.sign(wanted[decided]) * np.sign(margin[decided])))
