"""Agreement of annotators with each other: Krippendorff's alpha and Fleiss' kappa."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import nan
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ragstone.findings.agreement.human_labels import Ratings
from ragstone.stats.estimate import Estimate, estimate
from ragstone.stats.kappa import fleiss_kappa, krippendorff_alpha

FloatArray = NDArray[np.float64]
_RESAMPLES = 300
_MIN_RATINGS = 2


@dataclass(frozen=True, slots=True)
class AnnotatorAgreement:
    """Agreement of annotators with each other."""

    n: int  # cases that at least two annotators labelled
    alpha: Estimate  # Krippendorff's alpha, nominal for yes or no, interval for grades
    fleiss: Estimate | None  # Fleiss' kappa; None where cases have different numbers of labels


def annotator_agreement(
    annotators: Sequence[Ratings | None],
    scale: Literal["nominal", "interval"],
    clusters: Sequence[Hashable] | None = None,
) -> AnnotatorAgreement | None:
    """Return the agreement of annotators with each other, or None if no case was labelled by two."""
    rows = [
        (place, [value for value in row if value is not None])
        for place, row in enumerate(annotators)
        if row is not None
    ]
    several = [(place, row) for place, row in rows if len(row) >= _MIN_RATINGS]
    if not several:
        return None
    width = max(len(row) for _, row in several)
    table = np.array([row + [nan] * (width - len(row)) for _, row in several])
    groups = None if clusters is None else [clusters[place] for place, _ in several]

    def alpha(table: FloatArray) -> float:
        return krippendorff_alpha([[v for v in row if v == v] for row in table.tolist()], scale)  # noqa: PLR0124  (not NaN)

    def fleiss(table: FloatArray) -> float:
        return fleiss_kappa(table.tolist())

    complete = bool(np.all(np.isfinite(table)))
    return AnnotatorAgreement(
        n=len(several),
        alpha=estimate(alpha, table, clusters=groups, resamples=_RESAMPLES),
        fleiss=estimate(fleiss, table, clusters=groups, resamples=_RESAMPLES) if complete else None,
    )


def alpha_of_two(first: FloatArray, second: FloatArray) -> float:
    """Return Krippendorff's alpha of two raters without gaps, by squared differences.

    That is the interval alpha, and for values of 0 and 1 the nominal one as well. With D the mean squared difference
    within cases and V the variance (n - 1) of all values together, alpha = 1 - D / 2V.
    """
    pooled = np.concatenate([first, second])
    variance = float(pooled.var(ddof=1)) if pooled.size > 1 else 0.0
    return 1.0 - float(np.mean((first - second) ** 2)) / (2.0 * variance) if variance > 0.0 else nan
