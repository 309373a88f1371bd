"""The figures of a column of numbers from which an interval is computed; few numbers are summed without numpy.

Importing numpy takes as long as summing a million numbers in Python, so the report on a short run does without.

Where the cases of one cluster count as dependent, the variance of a mean is

    variance = Σ over clusters of (sum of residuals)² / (1 - cluster's share) / n²

This is the cluster-robust CR2 variance of an intercept-only model (Bell and McCaffrey 2002, Survey Methodology 28).
With every case its own cluster it is exactly s²/n. Clusters of unequal size carry less information than their number
suggests: the degrees of freedom use the effective number of clusters, n² / Σ size² (Kish 1965).
"""

from dataclasses import dataclass
from math import fsum, isfinite, nan
from sys import float_info
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ragstone.stats._arrays import IntArray, Numbers

_MIN_VALUES_FOR_NUMPY = 1000
_MIN_VALUES_FOR_VARIANCE = 2


class Sample(NamedTuple):
    """Figures of a column of finite numbers.

    Attributes:
        n: How many.
        mean: Their mean; NaN where there are none.
        variance: Their variance around the mean, divided by n - 1; NaN for fewer than two.
        least: The least; NaN where there are none.
        greatest: The greatest; NaN where there are none.
        two_valued: Whether every number is the least or the greatest.
    """

    n: int
    mean: float
    variance: float
    least: float
    greatest: float
    two_valued: bool

    @property
    def varied(self) -> bool:
        """Whether two of the numbers differ by enough that their variance does not underflow."""
        return (self.greatest - self.least) ** 2 > float_info.min


def describe(values: "Numbers", name: str = "values") -> Sample:
    """Return the figures of one flat sequence or array of numbers.

    Raises:
        ValueError: An entry is None, NaN or infinite, or `values` is not one-dimensional; `name` names it.
    """
    if len(values) < _MIN_VALUES_FOR_NUMPY and getattr(values, "ndim", 1) == 1:
        try:
            numbers = [float(value) for value in values]
        except (TypeError, ValueError):  # reported below
            numbers = [nan]
        if all(map(isfinite, numbers)):
            return _describe_in_python(numbers)
    return _describe_with_numpy(values, name)


def _describe_in_python(values: list[float]) -> Sample:
    n = len(values)
    if not n:
        return Sample(0, nan, nan, nan, nan, two_valued=True)
    least, greatest = min(values), max(values)
    mean = least if least == greatest else fsum(values) / n
    variance = (
        nan if n < _MIN_VALUES_FOR_VARIANCE else fsum((value - mean) ** 2 for value in values) / (n - 1)
    )
    two_valued = values.count(least) + values.count(greatest) >= n
    return Sample(n, mean, variance, least, greatest, two_valued)


def _describe_with_numpy(values: "Numbers", name: str) -> Sample:
    from ragstone.stats._arrays import finite  # noqa: PLC0415  (imports numpy)

    array = finite(values, name)
    least, greatest = float(array.min()), float(array.max())
    mean = least if least == greatest else float(array.mean())
    two_valued = bool(((array == least) | (array == greatest)).all())
    return Sample(array.size, mean, float(array.var(ddof=1)), least, greatest, two_valued)


@dataclass(frozen=True, slots=True)
class Spread:
    """A mean, its variance and its number of units.

    `variance` is that of the mean; `units` counts the independent units (clusters, or cases); `effective_units`
    discounts unequal cluster sizes.
    """

    mean: float
    variance: float
    n: int
    units: int
    effective_units: float

    @property
    def df(self) -> float:
        """Degrees of freedom of the variance, at least 1: one giant cluster must not make t too large to use."""
        return max(1.0, self.effective_units - 1.0)

    def moved(self, least: float, span: float) -> "Spread":
        """Return the spread of the values rescaled to [0, 1] from [`least`, `least` + `span`]."""
        return Spread(
            (self.mean - least) / span, self.variance / span**2, self.n, self.units, self.effective_units
        )


def sample_spread(sample: Sample) -> Spread:
    """Return mean and variance of the mean of independent values, each a unit of its own."""
    return Spread(sample.mean, sample.variance / sample.n, sample.n, sample.n, float(sample.n))


def spread(values: "Numbers", codes: "IntArray | None" = None) -> Spread:
    """Return mean and variance of the mean of at least two `values`, clustered by `codes` where given."""
    unclustered = sample_spread(describe(values))
    if codes is None:
        return unclustered
    import numpy as np  # noqa: PLC0415  (only clusters need it)

    sizes = np.bincount(codes).astype(np.float64)
    sums = np.bincount(codes, weights=np.asarray(values, dtype=np.float64) - unclustered.mean)
    clustered = float((sums**2 / (1.0 - sizes / unclustered.n)).sum()) / unclustered.n**2
    # Cases of one cluster agree or are unrelated; a negative correlation within clusters is chance, not
    # information.
    variance = max(clustered, unclustered.variance)
    return Spread(
        unclustered.mean, variance, unclustered.n, sizes.size, unclustered.n**2 / float((sizes**2).sum())
    )
