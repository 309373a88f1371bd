"""The best agreement that labels can show for a judge: that of one more annotator.

Annotators disagree, and labels contain this disagreement. One annotator is compared with the others, and the
judge with those same others. A judge at this ceiling is as good as one more annotator; these labels cannot show
anything above it.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from math import nan

import numpy as np

from ragstone.stats._arrays import FloatArray, Numbers, finite
from ragstone.stats._checks import same_length
from ragstone.stats.confusion import confusion
from ragstone.stats.estimate import Estimate, estimates

RESAMPLES = 1000
Ratings = Sequence[Sequence[float | None]]
Agreed = Callable[[FloatArray, FloatArray], float]


@dataclass(frozen=True, slots=True)
class Ceiling:
    """Agreement of one annotator with the others, and of the judge with the same others.

    Attributes:
        human: Mean over annotators of the statistic between one annotator and the others.
        judge: Mean over annotators of the statistic between the judge and those others.
        n: Number of cases with at least two annotators.
        annotators: Largest number of annotators of a case.
    """

    human: Estimate
    judge: Estimate
    n: int
    annotators: int


def human_ceiling(
    annotators: Ratings,
    judged: Numbers,
    agreed: Agreed,
    *,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Ceiling | None:
    """Return how well one annotator agrees with the mean of the others, and the judge with those same others.

    Annotators are identified by their position in each case's list. None where no case has two of them.

    Args:
        annotators: For each case its ratings, None where an annotator gave none.
        judged: The judge's decisions or scores, aligned.
        agreed: Statistic of (others, one); the others are their mean.
        clusters: For each case the group it belongs to.
        level: Nominal coverage.
        seed: For the bootstrap.
        resamples: Bootstrap resamples.

    Raises:
        ValueError: Lengths differ.
    """
    same_length(annotators=annotators, judged=judged)
    annotator_count = max((len(row) for row in annotators), default=0)
    ratings = np.array(
        [
            [nan if rating is None else rating for rating in row] + [nan] * (annotator_count - len(row))
            for row in annotators
        ]
    )
    multiple = (
        np.flatnonzero(np.isfinite(ratings).sum(axis=1) > 1)
        if annotator_count
        else np.zeros(0, dtype=np.intp)
    )
    if not multiple.size:
        return None

    def measure(ratings: FloatArray, scores: FloatArray) -> list[float]:
        pairs = [
            _agreement_with_rest(ratings, scores, annotator, agreed) for annotator in range(annotator_count)
        ]
        return [_finite_mean([human for human, _ in pairs]), _finite_mean([judge for _, judge in pairs])]

    human, judge = estimates(
        measure,
        ratings[multiple],
        finite(judged, "judged")[multiple],
        clusters=None if clusters is None else [clusters[int(i)] for i in multiple],
        level=level,
        seed=seed,
        resamples=resamples,
    )
    return Ceiling(human, judge, int(multiple.size), annotator_count)


def label_kappa(others: FloatArray, decisions: FloatArray) -> float:
    """Return Cohen's kappa of yes or no `decisions` with the majority of `others`, leaving out their ties."""
    clear = others != 0.5  # noqa: PLR2004 - half of the others said yes
    return confusion(others[clear] > 0.5, decisions[clear]).kappa  # noqa: PLR2004 - the majority


def _agreement_with_rest(
    ratings: FloatArray, judged: FloatArray, annotator: int, statistic: Agreed
) -> tuple[float, float]:
    others = np.delete(ratings, annotator, axis=1)
    counts = np.isfinite(others).sum(axis=1)
    usable = np.isfinite(ratings[:, annotator]) & (counts > 0)
    if not usable.any():
        return nan, nan
    means = np.nansum(others[usable], axis=1) / counts[usable]
    return statistic(means, ratings[usable, annotator]), statistic(means, judged[usable])


def _finite_mean(values: list[float]) -> float:
    finite_values = [value for value in values if np.isfinite(value)]
    return sum(finite_values) / len(finite_values) if finite_values else nan
