"""PPI++ with a biased judge: remaining bias, coverage, and width relative to the labels alone."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from math import sqrt

import numpy as np

from benchmarks.coverage import DRAWS
from benchmarks.coverage.intervals import MEANS
from ragstone.stats.ppi import Tuning, ppi_mean

Drawn = tuple[np.ndarray, np.ndarray]
UNLABELLED = 300


def _harsh(rng: np.random.Generator, n: int, *, noise: float) -> Drawn:
    """Claims supported, by a judge who takes off nearly a third and adds `noise`."""
    truth = MEANS["ratio"][0](rng, n)
    return truth, np.clip(0.7 * truth + rng.normal(0, noise, n), 0, 1)


def _lenient(rng: np.random.Generator, n: int, *, rate: float) -> Drawn:
    """Pass or fail, by a judge who passes 97 % of what passes and 30 % of what fails."""
    passes = rng.random(n) < rate
    return passes.astype(float), (rng.random(n) < np.where(passes, 0.97, 0.3)).astype(float)


def _noisy(rng: np.random.Generator, n: int, *, rate: float) -> Drawn:
    """Pass or fail, by a judge who errs on one case in ten at random."""
    passes = rng.random(n) < rate
    return passes.astype(float), np.where(rng.random(n) < 0.9, passes, ~passes).astype(float)


JUDGES: dict[str, tuple[Callable[[np.random.Generator, int], Drawn], float]] = {
    "harsh, precise": (partial(_harsh, noise=0.05), 0.85),
    "harsh, noisy": (partial(_harsh, noise=0.3), 0.85),
    "harsh, nearly all noise": (partial(_harsh, noise=3.0), 0.85),
    "lenient, rate 0.5": (partial(_lenient, rate=0.5), 0.5),
    "lenient, rate 0.8": (partial(_lenient, rate=0.8), 0.8),
    "lenient, rate 0.95": (partial(_lenient, rate=0.95), 0.95),
    "noisy, rate 0.95": (partial(_noisy, rate=0.95), 0.95),
}
"""Functions that draw human labels and a judge's scores, with the true mean label."""
LABELS = (20, 50, 200)


@dataclass(frozen=True, slots=True)
class Corrections:
    """Figures of many corrections.

    Attributes:
        judge_bias: The judge's own mean minus the truth.
        bias: The corrected mean minus the truth.
        bias_error: Standard error of `bias` in this simulation.
        coverage: Share of intervals that hold the truth.
        width: Width against the interval of the labels alone, on average.
        widest: The same, its 99th percentile.
    """

    judge_bias: float
    bias: float
    bias_error: float
    coverage: float
    width: float
    widest: float


@cache
def corrections(judge: str, labels: int, tuning: Tuning = "left_out", draws: int = DRAWS) -> Corrections:
    """Correct `judge` with the given number of labels, `draws` times."""
    draw, truth = JUDGES[judge]
    rng = np.random.default_rng(labels)
    drawn = [draw(rng, labels + UNLABELLED) for _ in range(draws)]
    found = [ppi_mean(t[:labels], j[:labels], j[labels:], tuning=tuning) for t, j in drawn]
    values = np.array([each.value for each in found])
    widths = np.array([each.interval.width / each.labels_alone.width for each in found])
    return Corrections(
        judge_bias=float(np.mean([each.judge for each in found])) - truth,
        bias=float(values.mean()) - truth,
        bias_error=float(values.std()) / sqrt(draws),
        coverage=float(np.mean([truth in each.interval for each in found])),
        width=float(widths.mean()),
        widest=float(np.quantile(widths, 0.99)),
    )
