"""Agreement beyond chance: how much more often raters agree than they would by guessing at their own rates.

Each coefficient is NaN where chance alone explains the agreement (all raters always give the same category): 0/0
is not perfect agreement.
"""

from collections.abc import Callable, Hashable, Sequence
from math import nan
from typing import Literal

import numpy as np

from ragstone.stats._arrays import FloatArray
from ragstone.stats._checks import same_length

Weights = Literal["linear", "quadratic"]
Scale = Literal["nominal", "ordinal", "interval"]


def cohen_kappa(
    first: Sequence[Hashable], second: Sequence[Hashable], *, weights: Weights | None = None
) -> float:
    """Return Cohen's kappa of two raters, at most 1, 0 for agreement by chance (Cohen 1960).

    Args:
        first: One category per case.
        second: The other rater's, in the same order.
        weights: For ordered categories, count a disagreement by its (squared) distance in steps (Cohen 1968).

    Raises:
        ValueError: Lengths differ.
    """
    same_length(first=first, second=second)
    table = _contingency_table(first, second)
    n = table.sum()
    if n == 0:
        return nan
    steps = np.abs(np.subtract.outer(np.arange(len(table)), np.arange(len(table)))).astype(np.float64)
    cost = (
        (steps > 0).astype(np.float64) if weights is None else steps ** (2 if weights == "quadratic" else 1)
    )
    expected = float((np.outer(table.sum(axis=1), table.sum(axis=0)) / n * cost).sum())
    return 1.0 - float((table * cost).sum()) / expected if expected > 0.0 else nan


def fleiss_kappa(ratings: Sequence[Sequence[Hashable]]) -> float:
    """Return Fleiss' kappa of several raters, the same number for every case (Fleiss 1971).

    Args:
        ratings: For each case its ratings; their order does not matter.

    Raises:
        ValueError: Cases have different numbers of ratings, or fewer than two; use Krippendorff's alpha then.
    """
    if not ratings:
        return nan
    raters = len(ratings[0])
    for position, row in enumerate(ratings):
        if len(row) != raters or raters < 2:  # noqa: PLR2004 - a pair is the least that can agree
            raise ValueError(
                f"ratings[{position}] has {len(row)} ratings, ratings[0] has {raters}; "
                "give every case the same number, at least 2, or use krippendorff_alpha"
            )
    counts = _rating_counts(ratings)
    agreed = float(((counts * (counts - 1)).sum(axis=1) / (raters * (raters - 1))).mean())
    chance = float(((counts.sum(axis=0) / counts.sum()) ** 2).sum())
    return (agreed - chance) / (1.0 - chance) if chance < 1.0 else nan


def krippendorff_alpha(ratings: Sequence[Sequence[float | None]], scale: Scale = "nominal") -> float:
    """Return Krippendorff's alpha, at most 1, 0 for agreement by chance; missing ratings allowed.

    Source: Krippendorff, Content Analysis (2004), section 11.3. Cases with fewer than two ratings are
    ignored.

    Args:
        ratings: For each case its ratings as numbers, None where a rater gave none.
        scale: How far apart two values are: `nominal` the same or not, `ordinal` by ranks, `interval` by
            difference.
    """
    given = [[value for value in row if value is not None] for row in ratings]
    pairable = [row for row in given if len(row) > 1]
    if not pairable:
        return nan
    counts = _rating_counts(pairable)
    values = np.array(sorted({value for row in pairable for value in row}), dtype=np.float64)
    weighted = counts / (counts.sum(axis=1, keepdims=True) - 1.0)
    coincidences = weighted.T @ counts - np.diag(weighted.sum(axis=0))
    totals = coincidences.sum(axis=0)
    distance = _DISTANCES[scale](values, totals)
    expected = float((np.outer(totals, totals) * distance).sum()) / (float(totals.sum()) - 1.0)
    return 1.0 - float((coincidences * distance).sum()) / expected if expected > 0.0 else nan


def _contingency_table(first: Sequence[Hashable], second: Sequence[Hashable]) -> FloatArray:
    numbers = _category_numbers([first, second])
    table = np.zeros((len(numbers), len(numbers)))
    rows, columns = [numbers[value] for value in first], [numbers[value] for value in second]
    np.add.at(table, (np.array(rows, dtype=np.intp), np.array(columns, dtype=np.intp)), 1.0)
    return table


def _rating_counts(ratings: Sequence[Sequence[Hashable]]) -> FloatArray:
    """Return the number of raters per case and category, shape (cases, categories)."""
    numbers = _category_numbers(ratings)
    counts = np.zeros((len(ratings), len(numbers)))
    for position, row in enumerate(ratings):
        for value in row:
            counts[position, numbers[value]] += 1.0
    return counts


def _category_numbers(ratings: Sequence[Sequence[Hashable]]) -> dict[Hashable, int]:
    """Number the categories in their natural order where they have one, which weights and scales rely on."""
    values = {value for row in ratings for value in row}
    ordered = sorted(values, key=lambda value: (not isinstance(value, int | float), _sort_key(value)))
    return {value: position for position, value in enumerate(ordered)}


def _sort_key(value: Hashable) -> tuple[float, str]:
    return (float(value), "") if isinstance(value, int | float) else (0.0, str(value))


def _nominal_distance(values: FloatArray, _totals: FloatArray) -> FloatArray:
    return 1.0 - np.eye(values.size)


def _interval_distance(values: FloatArray, _totals: FloatArray) -> FloatArray:
    return np.subtract.outer(values, values) ** 2


def _ordinal_distance(_values: FloatArray, totals: FloatArray) -> FloatArray:
    """Squared number of values between two categories, their own counted half."""
    middle = np.cumsum(totals) - totals / 2.0
    return np.subtract.outer(middle, middle) ** 2


_DISTANCES: dict[Scale, Callable[[FloatArray, FloatArray], FloatArray]] = {
    "nominal": _nominal_distance,
    "ordinal": _ordinal_distance,
    "interval": _interval_distance,
}
