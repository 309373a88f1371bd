"""The variance of a mean, where the cases of one cluster count as dependent.

    variance = Σ over clusters of (sum of residuals)² / (1 - cluster's share) / n²

This is the cluster-robust CR2 variance of an intercept-only model (Bell and McCaffrey 2002, Survey
Methodology 28). With every case its own cluster it is exactly s²/n. Clusters of unequal size carry less
information than their number suggests: the degrees of freedom use the effective number of clusters, n² / Σ size²
(Kish 1965).
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragstone.stats._sample import Sample, describe

if TYPE_CHECKING:
    from ragstone.stats._arrays import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Spread:
    """A mean, its variance and its number of units.

    `variance` is that of the mean, in squared units of the values; `units` counts the independent units
    (clusters, or cases); `effective_units` discounts unequal cluster sizes.
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


def spread(values: "FloatArray", codes: "IntArray | None" = None) -> Spread:
    """Return mean and variance of the mean of at least two `values`, clustered by `codes` where given."""
    unclustered = sample_spread(describe(values))
    if codes is None:
        return unclustered
    import numpy as np  # noqa: PLC0415  (only clusters need it)

    sizes = np.bincount(codes).astype(np.float64)
    sums = np.bincount(codes, weights=values - unclustered.mean)
    clustered = float((sums**2 / (1.0 - sizes / unclustered.n)).sum()) / unclustered.n**2
    # Cases of one cluster agree or are unrelated; a negative correlation within clusters is chance, not
    # information.
    variance = max(clustered, unclustered.variance)
    return Spread(
        unclustered.mean, variance, unclustered.n, sizes.size, unclustered.n**2 / float((sizes**2).sum())
    )
