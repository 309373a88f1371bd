"""Agreement of a judge with people, and of people with each other.

A judge's score means nothing until it has been compared with human labels. `agree_on_labels` does that for yes
or no, `agree_on_grades` for grades (1 to 5 stars, say). Where several people labelled the same
cases, the judge is also compared with their agreement with each other (`ceiling.py`).
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ragstone.stats._arrays import BoolArray, FloatArray, Numbers, finite, labels01
from ragstone.stats._checks import same_length
from ragstone.stats.ceiling import RESAMPLES, Ceiling, Ratings, human_ceiling, label_kappa
from ragstone.stats.confusion import Confusion, accuracy_estimate, balanced_accuracy_estimate, confusion
from ragstone.stats.correlation import correlations, spearman
from ragstone.stats.estimate import Estimate, estimate, estimates
from ragstone.stats.interval import mean_interval
from ragstone.stats.ranking import auroc, auroc_interval, average_precision
from ragstone.stats.reliability import (
    ReliabilityBin,
    brier_score,
    expected_calibration_error,
    reliability_curve,
)

_TIE_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class LabelAgreement:
    """A judge compared with yes or no labels; every estimate with its interval.

    Attributes:
        n: Cases.
        threshold: Scores at or above it count as yes.
        confusion: The four counts at the threshold.
        accuracy: Share of equal decisions.
        balanced_accuracy: Mean of sensitivity and specificity.
        kappa: Cohen's.
        auroc: Quality of the ranking, independent of the threshold.
        average_precision: Quality of the ranking, weighted to the top; its chance level is the share of yes.
        brier: Mean squared error of the score taken as a probability.
        calibration_error: ECE in ten bins of equal width; biased upward where cases are few.
        curve: The reliability curve.
        ceiling: Of kappa, where several annotators exist.
    """

    n: int
    threshold: float
    confusion: Confusion
    accuracy: Estimate
    balanced_accuracy: Estimate
    kappa: Estimate
    auroc: Estimate
    average_precision: Estimate
    brier: Estimate
    calibration_error: Estimate
    curve: list[ReliabilityBin]
    ceiling: Ceiling | None


@dataclass(frozen=True, slots=True)
class GradeAgreement:
    """A judge compared with grades on a scale; every estimate with its interval.

    Attributes:
        n: Cases.
        pearson: Linear correlation.
        spearman: Correlation of ranks.
        kendall: tau-b.
        ceiling: Of Spearman's rho, where several annotators exist.
    """

    n: int
    pearson: Estimate
    spearman: Estimate
    kendall: Estimate
    ceiling: Ceiling | None


def agree_on_labels(
    labels: Numbers,
    scores: Numbers,
    *,
    threshold: float = 0.5,
    annotators: Ratings | None = None,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> LabelAgreement:
    """Compare a judge's scores in [0, 1] with people's yes (1) or no (0).

    Args:
        labels: People's decisions, one per case.
        scores: The judge's, higher meaning yes.
        threshold: Scores at or above it are a yes. Fix it on other data (`calibrate.fit_threshold`).
        annotators: For each case the single annotators' labels, None where one gave none.
        clusters: For each case the group it belongs to.
        level: Nominal coverage of the intervals.
        seed: For the bootstrap.
        resamples: Bootstrap resamples.

    Raises:
        ValueError: Lengths differ, there is no case, a label is not 0 or 1, or a score is outside [0, 1].
    """
    truth, judged = _checked_cases(labels01(labels), scores)
    options: dict[str, Any] = {"clusters": clusters, "level": level, "seed": seed, "resamples": resamples}
    decided = (judged >= threshold - _TIE_TOLERANCE).astype(np.float64)
    return LabelAgreement(
        truth.size,
        threshold,
        confusion(truth, decided),
        *_decision_estimates(truth, decided, options),
        *_score_estimates(truth, judged, options),
        curve=reliability_curve(truth, judged),
        ceiling=None if annotators is None else human_ceiling(annotators, decided, label_kappa, **options),
    )


def _decision_estimates(truth: FloatArray, decided: FloatArray, options: dict[str, Any]) -> list[Estimate]:
    """Return accuracy, balanced accuracy and kappa."""
    grouped = {"clusters": options["clusters"], "level": options["level"]}
    accuracy = accuracy_estimate(truth, decided, **grouped)
    kappa = estimate(_kappa, truth, decided, **options)
    if kappa.value == 1.0 and accuracy.interval is not None:
        # No disagreement to resample; kappa is 1 - wrong / wrong by chance, so accuracy's interval rescales.
        chance = 2.0 * float(truth.mean()) * (1.0 - float(truth.mean()))
        kappa = Estimate(1.0, replace(accuracy.interval, low=1.0 - (1.0 - accuracy.interval.low) / chance))
    return [accuracy, balanced_accuracy_estimate(truth, decided, **grouped), kappa]


def _kappa(truth: FloatArray, decided: FloatArray) -> float:
    return confusion(truth, decided).kappa


def _score_estimates(truth: FloatArray, judged: FloatArray, options: dict[str, Any]) -> list[Estimate]:
    """Return AUROC, average precision, Brier score and calibration error."""

    def measure(truth: FloatArray, judged: FloatArray) -> list[float]:
        ranked = [auroc(truth, judged), average_precision(truth, judged)]
        return [*ranked, expected_calibration_error(truth, judged)]

    ranking, precision, calibration = estimates(measure, truth, judged, **options)
    if ranking.value is not None and ranking.interval is None:
        yes, no = (_unit_count(truth == label, options["clusters"]) for label in (1.0, 0.0))
        ranking = Estimate(ranking.value, auroc_interval(ranking.value, yes, no, level=options["level"]))
    errors = mean_interval((judged - truth) ** 2, options["clusters"], options["level"])
    return [ranking, precision, Estimate(brier_score(truth, judged), errors), calibration]


def _unit_count(members: BoolArray, clusters: Sequence[Hashable] | None) -> int:
    indices = np.flatnonzero(members)
    return indices.size if clusters is None else len({clusters[int(index)] for index in indices})


def agree_on_grades(
    grades: Numbers,
    scores: Numbers,
    *,
    annotators: Ratings | None = None,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> GradeAgreement:
    """Compare a judge's scores with people's grades; both may be on any scale.

    Args:
        grades: People's grades, one per case (their mean where there are several).
        scores: The judge's.
        annotators: For each case the single annotators' grades, None where one gave none.
        clusters: For each case the group it belongs to.
        level: Nominal coverage of the intervals.
        seed: For the bootstrap.
        resamples: Bootstrap resamples.

    Raises:
        ValueError: Lengths differ, there is no case, or an entry is not finite.
    """
    truth, judged = _checked_cases(finite(grades, "grades"), scores)
    options: dict[str, Any] = {"clusters": clusters, "level": level, "seed": seed, "resamples": resamples}

    return GradeAgreement(
        truth.size,
        *estimates(correlations, truth, judged, **options),
        ceiling=None if annotators is None else human_ceiling(annotators, judged, spearman, **options),
    )


def _checked_cases(truth: FloatArray, scores: Numbers) -> tuple[FloatArray, FloatArray]:
    same_length(labels=truth, scores=scores)
    if not truth.size:
        raise ValueError(
            "there is no labelled case; agreement needs at least one, and a few dozen for a useful result"
        )
    return truth, finite(scores, "scores")
