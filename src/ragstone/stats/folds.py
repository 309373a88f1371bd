"""Folds for cross-validation: cases, or whole clusters of them, dealt at random.

A fit looks better on the cases that it was fitted to. It is therefore fitted to all folds but one and measured on that
one. Cases of one cluster share a fold: a question that was seen with another wording is not an unseen question.
"""

import numpy as np

from ragstone.stats._arrays import BoolArray, IntArray


def deal_folds(truth: BoolArray, codes: IntArray | None, folds: int, rng: np.random.Generator) -> IntArray:
    """Return the number of the fold of each case.

    Args:
        truth: The class of each case: without clusters each fold gets its share of both.
        codes: The cluster of each case, numbered from 0; None without clusters.
        folds: How many folds, at least one.
        rng: Random generator that assigns the folds.

    Returns:
        Numbers from 0 to `folds` - 1; with few clusters some folds may be empty.
    """
    if codes is not None:
        fold_of_cluster = rng.permutation(int(codes.max()) + 1) % folds
        return fold_of_cluster[codes].astype(np.intp)
    fold_numbers = np.zeros(truth.size, dtype=np.intp)
    for in_class in (truth, ~truth):
        members = rng.permutation(np.flatnonzero(in_class))
        fold_numbers[members] = np.arange(members.size) % folds
    return fold_numbers
