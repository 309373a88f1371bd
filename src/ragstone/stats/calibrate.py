"""Fit a threshold to labels, and estimate its quality on unseen cases.

A threshold looks better than it is on the cases that it was fitted to. The expected figure is therefore
measured by cross-validation: each fold's cases are decided by a threshold fitted to the other folds. Cases of one
cluster share a fold: a question that was seen with another wording is not an unseen question.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ragstone.stats._arrays import BoolArray, FloatArray, IntArray, Numbers, cluster_codes, labelled_scores
from ragstone.stats.confusion import Confusion, accuracy_estimate, balanced_accuracy_estimate, confusion
from ragstone.stats.estimate import Estimate

Criterion = Literal["balanced_accuracy", "accuracy"]


@dataclass(frozen=True, slots=True)
class Threshold:
    """A threshold fitted to labels.

    Attributes:
        value: Scores at or above it count as yes; in the units of the scores, midway between two of them.
        criterion: Name of the criterion that it maximises.
        fitted: The criterion on the cases that it was fitted to, which is biased upward.
        expected: The criterion on unseen cases, by cross-validation, with its interval.
        confusion: The cross-validated decisions.
        folds: Number of folds.
    """

    value: float
    criterion: Criterion
    fitted: float
    expected: Estimate
    confusion: Confusion
    folds: int


def fit_threshold(
    labels: Numbers,
    scores: Numbers,
    *,
    criterion: Criterion = "balanced_accuracy",
    clusters: Sequence[Hashable] | None = None,
    folds: int = 10,
    level: float = 0.95,
    seed: int = 0,
) -> Threshold:
    """Return the threshold that best separates people's yes from their no.

    Args:
        labels: 1 (or True) where people say yes.
        scores: The judge's, higher meaning yes; any scale.
        criterion: `balanced_accuracy` weights both errors equally even if one class is rare.
        clusters: For each case the group that must not be split between fitting and testing.
        folds: At most; never more than there are clusters or cases of the rarer class.
        level: Nominal coverage of the interval.
        seed: For the folds.

    Raises:
        ValueError: Lengths differ, a label is not 0 or 1, a score is not finite, or one class has fewer than
            two cases.
    """
    found, judged = labelled_scores(labels, scores)
    truth = found == 1.0
    rarer_count = int(min(truth.sum(), (~truth).sum()))
    if rarer_count < 2:  # noqa: PLR2004 - one to fit, one to test
        raise ValueError(f"{int(truth.sum())} yes and {int((~truth).sum())} no: label at least two of each")
    codes = cluster_codes(clusters, truth.size)
    fold = deal_folds(truth, codes, min(folds, rarer_count), np.random.default_rng(seed))
    decided = np.zeros(truth.size, dtype=np.bool_)
    for number in np.unique(fold):
        in_fold = fold == number
        decided[in_fold] = judged[in_fold] >= _best_cut(truth[~in_fold], judged[~in_fold], criterion)
    value = _best_cut(truth, judged, criterion)
    estimate_accuracy = accuracy_estimate if criterion == "accuracy" else balanced_accuracy_estimate
    return Threshold(
        value=value,
        criterion=criterion,
        fitted=_criterion_value(confusion(truth, judged >= value), criterion),
        expected=estimate_accuracy(truth, decided, clusters=clusters, level=level),
        confusion=confusion(truth, decided),
        folds=int(np.unique(fold).size),
    )


def _criterion_value(matrix: Confusion, criterion: Criterion) -> float:
    return matrix.accuracy if criterion == "accuracy" else matrix.balanced_accuracy


def _best_cut(truth: BoolArray, scores: FloatArray, criterion: Criterion) -> float:
    yes = int(truth.sum())
    no = truth.size - yes

    def quality(both: IntArray, said: IntArray) -> FloatArray:
        rejected = no - (said - both)
        if criterion == "accuracy":
            return (both + rejected) / truth.size
        return both / max(1, yes) + rejected / max(1, no)  # a fold may lack one of the classes

    return best_cut(truth, scores, quality)


def best_cut(
    truth: BoolArray, scores: FloatArray, quality: Callable[[IntArray, IntArray], FloatArray]
) -> float:
    """Return the threshold of the highest quality, midway between scores; of several equally good ones the middle.

    `quality` takes, for each threshold, the number of cases at or above it with the label yes, and with any.
    """
    values = np.unique(scores)
    cuts = np.concatenate([[values[0]], (values[:-1] + values[1:]) / 2.0])
    yes, no = np.sort(scores[truth]), np.sort(scores[~truth])
    both = (yes.size - np.searchsorted(yes, cuts)).astype(np.intp)
    found = quality(both, both + no.size - np.searchsorted(no, cuts))
    best = np.flatnonzero(found >= found.max() - 1e-12)
    return float(cuts[best[(best.size - 1) // 2]])


def deal_folds(truth: BoolArray, codes: IntArray | None, folds: int, rng: np.random.Generator) -> IntArray:
    """Return the number of the fold of each case, dealt by class, or by clusters where `codes` number them."""
    if codes is not None:
        fold_of_cluster = rng.permutation(int(codes.max()) + 1) % folds
        return fold_of_cluster[codes].astype(np.intp)
    fold_numbers = np.zeros(truth.size, dtype=np.intp)
    for in_class in (truth, ~truth):
        members = rng.permutation(np.flatnonzero(in_class))
        fold_numbers[members] = np.arange(members.size) % folds
    return fold_numbers
