"""Look at twenty metrics and one will seem to have changed: raise the bar by as many as were looked at."""

from collections.abc import Sequence

import numpy as np

from ragstone.stats._arrays import FloatArray, finite


def holm(p_values: Sequence[float] | FloatArray) -> list[float]:
    """Return the p-values adjusted by Holm's step-down method (1979, Scand. J. Statist. 6), in their order.

    Rejecting where the adjusted value is at most 0.05 keeps the chance of any false alarm among all metrics
    at 5 %, whatever their dependence; it is never weaker than Bonferroni's correction.

    Raises:
        ValueError: A p-value is outside [0, 1] or not a number.
    """
    array = finite(p_values, "p_values")
    outside = np.flatnonzero((array < 0.0) | (array > 1.0))
    if outside.size:
        raise ValueError(f"p_values[{outside[0]}] is {array[outside[0]]:g}; a p-value lies in [0, 1]")
    order = np.argsort(array, kind="stable")
    adjusted = np.empty_like(array)
    adjusted[order] = np.maximum.accumulate(array[order] * np.arange(array.size, 0, -1))
    return [float(value) for value in np.minimum(adjusted, 1.0)]
