"""Coverage of the intervals of means and rates, computed by the public functions on draws with a known true value."""

from collections.abc import Callable
from math import comb

import numpy as np

from benchmarks.coverage import DRAWS
from ragstone.stats.estimate import estimate
from ragstone.stats.interval import MeanMethod, RateMethod, mean_interval, rate_interval

Draw = Callable[[np.random.Generator, int], np.ndarray]


def ratio(rng: np.random.Generator, n: int) -> np.ndarray:
    """Claims supported of 1 to 8 claims, 85 % each."""
    claims = rng.integers(1, 9, n)
    return rng.binomial(claims, 0.85) / claims


def near_one(rng: np.random.Generator, n: int) -> np.ndarray:
    """Nine cases in ten score 1; the others some k of m."""
    claims = rng.integers(2, 7, n)
    return np.where(rng.random(n) < 0.9, 1.0, rng.binomial(claims, 0.6) / claims)


def bimodal(rng: np.random.Generator, n: int) -> np.ndarray:
    """All or nothing, with a little between."""
    kind = rng.random(n)
    return np.where(kind < 0.3, 0.0, np.where(kind < 0.85, 1.0, rng.random(n)))


def graded(rng: np.random.Generator, n: int) -> np.ndarray:
    """A rating of 1 to 5 as (rating - 1) / 4."""
    return rng.choice(5, n, p=[0.05, 0.1, 0.2, 0.35, 0.3]) / 4


def similarity(rng: np.random.Generator, n: int) -> np.ndarray:
    """Cosines, smooth and bunched near 0.9."""
    return rng.beta(20, 2, n)


MEANS: dict[str, tuple[Draw, float]] = {
    "ratio": (ratio, 0.85),
    "near_one": (near_one, 0.96),
    "bimodal": (bimodal, 0.625),
    "graded": (graded, 0.6875),
    "similarity": (similarity, 20 / 22),
}
"""Functions that draw scores, with their true mean."""
RATES = (0.02, 0.1, 0.3, 0.5, 0.9, 0.98)
RANGES = ((0.0, 0.1), (0.1, 0.3), (0.3, 0.7), (0.7, 0.9), (0.9, 1.0))
CLUSTERED = {
    "rate 0.7": (0.7, 0.3, 1),
    "rate 0.95": (0.95, 0.3, 1),
    "ratio 0.8": (0.8, 0.3, 4),
    "ratio 0.95": (0.95, 0.2, 4),
}


def mean_coverage(kind: str, n: int, method: MeanMethod = "auto") -> tuple[float, float]:
    """Return the share of intervals that hold the true mean, and their mean width."""
    rng = np.random.default_rng(n)
    draw, truth = MEANS[kind]
    found = [mean_interval(draw(rng, n), method=method) for _ in range(DRAWS)]
    return float(np.mean([truth in each for each in found])), float(np.mean([each.width for each in found]))


def rate_coverage(rate: float, n: int, method: RateMethod = "wilson") -> float:
    """Return the exact coverage at one rate, by enumeration of all outcomes."""
    k = np.arange(n + 1)
    covers = np.array([rate in rate_interval(int(successes), n, method) for successes in k])
    weights = np.array(
        [
            comb(n, int(successes)) * rate ** int(successes) * (1 - rate) ** (n - int(successes))
            for successes in k
        ]
    )
    return float((covers * weights).sum())


def range_coverage(low: float, high: float, n: int, method: RateMethod = "wilson") -> float:
    """Return the coverage averaged over rates between `low` and `high`."""
    rng = np.random.default_rng(n)
    rates = rng.uniform(low, high, 100 * DRAWS)
    ends = [rate_interval(k, n, method) for k in range(n + 1)]
    lows, highs = np.array([e.low for e in ends]), np.array([e.high for e in ends])
    counts = rng.binomial(n, rates)
    return float(np.mean((lows[counts] <= rates) & (rates <= highs[counts])))


def clustered_coverage(kind: str, groups: int, draws: int = DRAWS, *, by_bootstrap: bool = False) -> float:
    """Groups of 1 to 8 cases that share their chance of success (beta-binomial)."""
    mean, dependence, claims = CLUSTERED[kind]
    rng = np.random.default_rng(groups)
    strength = (1 - dependence) / dependence
    hits = 0
    for _ in range(draws):
        sizes = rng.integers(1, 9, groups)
        codes = np.repeat(np.arange(groups), sizes)
        chance = rng.beta(mean * strength, (1 - mean) * strength, groups)[codes]
        values = rng.binomial(claims, chance) / claims
        found = mean_interval(values, codes)
        if by_bootstrap:
            found = estimate(np.mean, values, clusters=codes.tolist()).interval or found
        hits += mean in found
    return hits / draws
