"""Simulated size of the non-inferiority test (`--margin`): `python -m benchmarks.margin`.

The true loss is exactly the margin, so that each claim is an error.
"""

import sys
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ragstone.stats.compare import compare_runs

FloatArray = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int, float], FloatArray]
SIZES = (50, 100, 200, 800)
DRAWS = 1000


def normal(rng: np.random.Generator, n: int, loss: float) -> FloatArray:
    """Return normal differences."""
    return np.clip(rng.normal(-loss, 0.2, n), -1.0, 1.0)


def pass_fail(rng: np.random.Generator, n: int, loss: float) -> FloatArray:
    """Return changes of pass and fail in both directions."""
    return rng.choice([0.0, 1.0, -1.0], p=[0.8 - loss, 0.1, 0.1 + loss], size=n)


def rare(rng: np.random.Generator, n: int, loss: float) -> FloatArray:
    """Return differences of which a few are losses of everything, and the others 0."""
    return -(rng.random(n) < loss).astype(np.float64)


def rare_and_noise(rng: np.random.Generator, n: int, loss: float) -> FloatArray:
    """Return differences of which 3 % are large losses, and the others vary a little."""
    size = min(1.0, loss / 0.03)
    return np.where(rng.random(n) < 0.03, -size, rng.uniform(-0.02, 0.02, n))


KINDS: tuple[tuple[Draw, float], ...] = (
    (normal, 0.05),
    (pass_fail, 0.05),
    (rare, 0.05),
    (rare_and_noise, 0.03),
)


def size(draw: Draw, n: int, margin: float, draws: int = DRAWS) -> float:
    """Return the share of datasets in which a loss of the margin is claimed not to exceed it."""
    rng = np.random.default_rng(n)
    claims = 0
    for _ in range(draws):
        changes = draw(rng, n, margin)
        found = compare_runs(np.zeros(n).tolist(), changes.tolist(), resamples=1)
        claims += found.is_not_worse_by(margin)
    return claims / draws


if __name__ == "__main__":
    for draw, margin in KINDS:
        shares = " | ".join(f"{size(draw, n, margin):.1%}" for n in SIZES)
        sys.stdout.write(f"| {draw.__name__} | {shares} |\n")
