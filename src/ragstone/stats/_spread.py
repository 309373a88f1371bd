"""How far a mean could be off: its variance, cases of one cluster counted as dependent.

    variance = Σ over clusters of (sum of residuals)² / (1 - cluster's share) / n²

This is the cluster-robust CR2 variance of an intercept-only model (Bell and McCaffrey 2002, Survey
Methodology 28). With every case its own cluster it is exactly s²/n. Clusters of unequal size carry less
information than their number says: the degrees of freedom use the effective number of clusters, n² / Σ size²
(Kish 1965).
"""

from dataclasses import dataclass

import numpy as np

from ragstone.stats._arrays import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Spread:
    """A mean and what its uncertainty rests on.

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
        """Degrees of freedom of the variance, at least 1: one giant cluster must not stretch t beyond use."""
        return max(1.0, self.effective_units - 1.0)


def spread(values: FloatArray, codes: IntArray | None = None) -> Spread:
    """Return mean and variance of the mean of at least two `values`, clustered by `codes` where given."""
    n = values.size
    mean = float(values.mean())
    if codes is None:
        return Spread(mean, float(values.var(ddof=1)) / n, n, n, float(n))
    sizes = np.bincount(codes).astype(np.float64)
    sums = np.bincount(codes, weights=values - mean)
    clustered = float((sums**2 / (1.0 - sizes / n)).sum()) / n**2
    # Cases of one cluster agree or are unrelated; when they seem to repel each other that is chance, not
    # information.
    independent = float(values.var(ddof=1)) / n
    return Spread(mean, max(clustered, independent), n, sizes.size, n**2 / float((sizes**2).sum()))
