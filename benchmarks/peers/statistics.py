"""ragstone's statistics beside those of other packages on the same data.

    python -m benchmarks.peers.statistics draw data.npz
    python -m benchmarks.peers.statistics ours data.npz
    python -P benchmarks/peers/statistics_scores.py data.npz    # where evalstats and scipy are installed

The last two print, in per cent: intervals of a mean that hold it, intervals of a difference that do, false claims about
two runs of one system, and falls of 0.05 that are found.
"""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.coverage.field import KINDS, compared, fallen
from ragstone.stats.interval import mean_interval

DRAWS = 300
SIZES = (12, 60, 200)
FALL = 0.05
SIZE_OF_FALL = {"pass or fail, 0.9": 1.0, "k of 2 to 6 claims": 0.5, "k of n, most at 1": 0.5}


def draw(path: Path) -> None:
    """Write datasets: before, again (the same system) and fallen, shape (draws, cases), and the true mean."""
    arrays: dict[str, np.ndarray] = {}
    for kind, size in SIZE_OF_FALL.items():
        for n in SIZES:
            rng = np.random.default_rng(n)
            pairs = [KINDS[kind](rng, n) for _ in range(DRAWS)]
            arrays[f"{kind}|{n}|before"] = np.array([before for before, _ in pairs])
            arrays[f"{kind}|{n}|again"] = np.array([again for _, again in pairs])
            arrays[f"{kind}|{n}|fallen"] = np.array([fallen(rng, again, FALL, size) for _, again in pairs])
        many = KINDS[kind](np.random.default_rng(0), 400_000)[0]
        arrays[f"{kind}|truth"] = np.array([many.mean()])
    np.savez_compressed(path, **arrays)


Mean = Callable[[np.ndarray], tuple[float, float]]
Difference = Callable[[np.ndarray, np.ndarray], tuple[float, float, bool]]


def scored(path: Path, name: str, mean: Mean, difference: Difference) -> None:
    """Print a row of figures for each kind and number of cases.

    Args:
        path: the datasets.
        name: the package.
        mean: returns the ends of the 95 % interval of a mean.
        difference: returns the ends of that of after - before, and whether a difference is claimed.
    """
    data = np.load(path)
    for kind in SIZE_OF_FALL:
        truth = float(data[f"{kind}|truth"][0])
        for n in SIZES:
            before, again, fell = (data[f"{kind}|{n}|{run}"] for run in ("before", "again", "fallen"))
            means = [mean(scores) for scores in before]
            same = [difference(*pair) for pair in zip(before, again, strict=True)]
            worse = [difference(*pair) for pair in zip(before, fell, strict=True)]
            shares = (
                np.mean([low <= truth <= high for low, high in means]),
                np.mean([low <= 0.0 <= high for low, high, _ in same]),
                np.mean([claimed for *_, claimed in same]),
                np.mean([claimed and high < 0.01 for _, high, claimed in worse]),
            )
            print(
                f"| {kind} | {n} | {name} | {' | '.join(f'{100 * share:.1f}' for share in shares)} |",
                flush=True,
            )


def _our_mean(scores: np.ndarray) -> tuple[float, float]:
    found = mean_interval(scores)
    return found.low, found.high


def _our_difference(before: np.ndarray, after: np.ndarray, seed: int = 0) -> tuple[float, float, bool]:
    found = compared(before, after, seed)
    return found.single_interval.low, found.single_interval.high, found.claimed


def main() -> None:
    """Draw the datasets, or print our figures."""
    what, path = sys.argv[1], Path(sys.argv[2])
    draw(path) if what == "draw" else scored(path, "ragstone", _our_mean, partial(_our_difference, seed=0))


if __name__ == "__main__":
    main()
