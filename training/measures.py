"""Agreement of scores with labels: AUROC with exact ties, balanced accuracy, intervals over contexts."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragstone.stats.ranking import auroc

__all__ = ["auroc", "balance", "balanced_accuracy", "best_threshold", "interval", "rank_correlation"]

Scores = NDArray[np.float64]


def balanced_accuracy(labels: NDArray[np.int64], decided: NDArray[np.bool_]) -> float:
    """Return the mean of the hit rates on both classes."""
    return float((decided[labels == 1].mean() + (~decided[labels == 0]).mean()) / 2)


def balance(labels: NDArray[np.int64]) -> Scores:
    """Return weights that are equal for both labels and sum to one."""
    share = labels.mean()
    return np.where(labels == 1, 0.5 / share, 0.5 / (1 - share)) / len(labels)


def best_threshold(labels: NDArray[np.int64], scores: Scores, weights: Scores | None = None) -> float:
    """Return the threshold (score >= it means yes) with the best weighted balanced accuracy."""
    weights = np.ones(len(labels)) if weights is None else weights
    order = np.argsort(-scores, kind="stable")
    ordered, gain = scores[order], weights[order]
    up = np.cumsum(gain * labels[order]) / (gain @ labels[order])
    down = np.cumsum(gain * (1 - labels[order])) / (gain @ (1 - labels[order]))
    last = np.append(np.diff(ordered) != 0, True)
    value = np.where(last, up - down, -np.inf)
    at = int(np.argmax(value))
    return float((ordered[at] + ordered[min(at + 1, len(ordered) - 1)]) / 2)


def rank_correlation(first: Sequence[float], second: Sequence[float]) -> float:
    """Return Spearman's rank correlation, in [-1, 1]."""
    from scipy.stats import spearmanr  # noqa: PLC0415  (takes a second, and few of the measures need it)

    found: Any = spearmanr(first, second)
    return float(found.statistic)


def interval(
    groups: Sequence[str],
    statistic: Callable[[NDArray[np.int64]], float],
    *,
    draws: int = 500,
    seed: int = 7,
) -> tuple[float, float]:
    """Return the 95 % percentile bootstrap interval of a statistic of row indices, resampling whole groups."""
    rng = np.random.default_rng(seed)
    _, codes = np.unique(np.array(groups), return_inverse=True)
    members = np.split(np.argsort(codes, kind="stable"), np.cumsum(np.bincount(codes))[:-1])
    values = [
        statistic(np.concatenate([members[i] for i in rng.integers(0, len(members), len(members))]))
        for _ in range(draws)
    ]
    low, high = np.nanpercentile(values, [2.5, 97.5])
    return float(low), float(high)
