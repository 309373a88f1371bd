"""Measures of agreement between scores and labels: AUROC with exact ties, balanced accuracy, bootstrap intervals."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragstone.stats.ranking import auroc

__all__ = ["auroc", "balance", "balanced_accuracy", "best_threshold", "interval", "rank_correlation"]

Scores = NDArray[np.float64]


def balanced_accuracy(labels: NDArray[np.int64], predicted: NDArray[np.bool_]) -> float:
    """Return the mean of the recalls of both classes."""
    return float((predicted[labels == 1].mean() + (~predicted[labels == 0]).mean()) / 2)


def balance(labels: NDArray[np.int64]) -> Scores:
    """Return weights that are equal for both labels and sum to one."""
    share = labels.mean()
    return np.where(labels == 1, 0.5 / share, 0.5 / (1 - share)) / len(labels)


def best_threshold(labels: NDArray[np.int64], scores: Scores, weights: Scores | None = None) -> float:
    """Return the threshold (score >= it means yes) with the best weighted balanced accuracy."""
    weights = np.ones(len(labels)) if weights is None else weights
    order = np.argsort(-scores, kind="stable")
    ordered_scores, ordered_weights = scores[order], weights[order]
    tpr = np.cumsum(ordered_weights * labels[order]) / (ordered_weights @ labels[order])
    fpr = np.cumsum(ordered_weights * (1 - labels[order])) / (ordered_weights @ (1 - labels[order]))
    last_of_ties = np.append(np.diff(ordered_scores) != 0, True)
    youden = np.where(last_of_ties, tpr - fpr, -np.inf)
    best = int(np.argmax(youden))
    return float((ordered_scores[best] + ordered_scores[min(best + 1, len(ordered_scores) - 1)]) / 2)


def rank_correlation(first: Sequence[float], second: Sequence[float]) -> float:
    """Return Spearman's rank correlation, in [-1, 1]."""
    from scipy.stats import spearmanr  # noqa: PLC0415  (takes a second, and few of the measures need it)

    result: Any = spearmanr(first, second)
    return float(result.statistic)


def interval(
    groups: Sequence[str],
    statistic: Callable[[NDArray[np.int64]], float],
    *,
    draws: int = 500,
    seed: int = 7,
) -> tuple[float, float]:
    """Return the 95 % percentile bootstrap interval of a statistic of row indices, resampling whole groups."""
    rng = np.random.default_rng(seed)
    _, group_numbers = np.unique(np.array(groups), return_inverse=True)
    members = np.split(np.argsort(group_numbers, kind="stable"), np.cumsum(np.bincount(group_numbers))[:-1])
    values = [
        statistic(np.concatenate([members[i] for i in rng.integers(0, len(members), len(members))]))
        for _ in range(draws)
    ]
    low, high = np.nanpercentile(values, [2.5, 97.5])
    return float(low), float(high)
