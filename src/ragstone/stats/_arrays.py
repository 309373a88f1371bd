"""Conversion of callers' sequences to arrays; entries that are not numbers are refused."""

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from ragstone.stats._checks import same_length

_HINT = "count unmeasured cases in not_measured= or skipped=, and leave them out here"

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
BoolArray = NDArray[np.bool_]
Clusters = Sequence[Hashable] | IntArray
"""The group of each value."""

Numbers = Sequence[float] | NDArray[np.floating | np.integer | np.bool_]
"""Input of callers: one flat sequence or array of numbers, or of bools."""


def finite(values: Numbers, name: str = "values") -> FloatArray:
    """Return `values` as a one-dimensional float array.

    Raises:
        ValueError: An entry is None, NaN or infinite, or `values` is not one-dimensional.
    """
    array = np.asarray(values, dtype=np.float64)  # None becomes NaN
    if array.ndim != 1:
        raise ValueError(f"{name} has shape {array.shape}; give one flat sequence of numbers")
    wrong = np.flatnonzero(~np.isfinite(array))
    if wrong.size:
        raise ValueError(f"{name}[{wrong[0]}] is {values[int(wrong[0])]}, not a finite number; {_HINT}")
    return array


def labels01(values: Numbers, name: str = "labels") -> FloatArray:
    """Return binary `values` (bools, or 0 and 1) as floats.

    Raises:
        ValueError: An entry is neither 0 nor 1.
    """
    array = finite(values, name)
    wrong = np.flatnonzero((array != 0.0) & (array != 1.0))
    if wrong.size:
        raise ValueError(
            f"{name}[{wrong[0]}] is {array[wrong[0]]:g}, neither 0 nor 1; apply a threshold first"
        )
    return array


def labelled_scores(labels: Numbers, scores: Numbers) -> tuple[FloatArray, FloatArray]:
    """Return binary labels as floats, and the scores of the same cases.

    Raises:
        ValueError: Lengths differ, a label is not 0 or 1, or a score is not finite.
    """
    same_length(labels=labels, scores=scores)
    return labels01(labels), finite(scores, "scores")


def cluster_codes(clusters: Clusters | None, n: int) -> IntArray | None:
    """Number the clusters 0, 1, …, or return None where the grouping has no information.

    A case whose cluster is None is a cluster of its own. Grouping has no information when every case is its own
    cluster, or when one cluster holds them all: then the dataset *is* the cluster, and its cases are the units.
    Clusters are numbered in order of appearance, those of an array of numbers too.

    Raises:
        ValueError: There is not exactly one entry per case.
    """
    if clusters is None:
        return None
    if len(clusters) != n:
        raise ValueError(
            f"clusters has {len(clusters)} entries for {n} values; give one per value, in the same order"
        )
    if isinstance(clusters, np.ndarray):
        return _renumbered(clusters)
    code_of_key: dict[Hashable, int] = {}
    codes = np.array(
        [
            code_of_key.setdefault(("alone", position) if key is None else ("key", key), len(code_of_key))
            for position, key in enumerate(clusters)
        ],
        dtype=np.intp,
    )
    return codes if 1 < len(code_of_key) < n else None


def _renumbered(codes: IntArray) -> IntArray | None:
    distinct, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    if not 1 < distinct.size < codes.size:
        return None
    new_codes = np.empty(distinct.size, dtype=np.intp)
    new_codes[np.argsort(first)] = np.arange(distinct.size)
    return new_codes[inverse]
