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
from ragstone.stats._sample import same_length
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
    width = max((len(row) for row in annotators), default=0)
    ratings = np.array(
        [[nan if v is None else v for v in row] + [nan] * (width - len(row)) for row in annotators]
    )
    several = np.flatnonzero(np.isfinite(ratings).sum(axis=1) > 1) if width else np.zeros(0, dtype=np.intp)
    if not several.size:
        return None

    def measure(ratings: FloatArray, said: FloatArray) -> list[float]:
        pairs = [_agreement_with_rest(ratings, said, place, agreed) for place in range(width)]
        return [_finite_mean([human for human, _ in pairs]), _finite_mean([judge for _, judge in pairs])]

    human, judge = estimates(
        measure,
        ratings[several],
        finite(judged, "judged")[several],
        clusters=None if clusters is None else [clusters[int(i)] for i in several],
        level=level,
        seed=seed,
        resamples=resamples,
    )
    return Ceiling(human, judge, int(several.size), width)


def label_kappa(others: FloatArray, decisions: FloatArray) -> float:
    """Return Cohen's kappa of yes or no `decisions` with the majority of `others`, leaving out their ties."""
    clear = others != 0.5  # noqa: PLR2004 - half of the others said yes
    return confusion(others[clear] > 0.5, decisions[clear]).kappa  # noqa: PLR2004 - the majority


def _agreement_with_rest(
    ratings: FloatArray, said: FloatArray, place: int, agreed: Agreed
) -> tuple[float, float]:
    others = np.delete(ratings, place, axis=1)
    counts = np.isfinite(others).sum(axis=1)
    usable = np.isfinite(ratings[:, place]) & (counts > 0)
    if not usable.any():
        return nan, nan
    rest = np.nansum(others[usable], axis=1) / counts[usable]
    return agreed(rest, ratings[usable, place]), agreed(rest, said[usable])


def _finite_mean(values: list[float]) -> float:
    known = [value for value in values if np.isfinite(value)]
    return sum(known) / len(known) if known else nan
