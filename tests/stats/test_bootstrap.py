"""The bootstrap's machinery where no reference library reaches: clusters and broken resamples."""

import math

import numpy as np
import pytest

from ragstone.stats.estimate import Method, bootstrap_all


def test_whole_clusters_are_drawn() -> None:
    codes = np.array([0, 0, 0, 1, 1, 2])
    seen: set[tuple[int, ...]] = set()

    def watch(rows: np.ndarray) -> float:
        seen.add(tuple(sorted(rows.tolist())))
        return float(rows.mean())

    bootstrap_all(watch, (np.arange(6),), codes, resamples=200, method="percentile")
    blocks = {0: [0, 1, 2], 1: [3, 4], 2: [5]}
    possible = {
        tuple(sorted(blocks[a] + blocks[b] + blocks[c])) for a in range(3) for b in range(3) for c in range(3)
    }
    assert seen == possible


def test_resamples_without_a_value_are_left_out() -> None:
    def fragile(x: np.ndarray) -> float:
        return math.nan if x.max() < 0.9 else float(x.mean())

    ((low, high),) = bootstrap_all(fragile, (np.linspace(0, 1, 12),), resamples=300)
    assert 0.0 < low < high < 1.0
    assert np.isnan(bootstrap_all(lambda _: math.nan, (np.arange(4),), resamples=10)).all()


def test_one_set_of_resamples_serves_all_statistics() -> None:
    data = np.random.default_rng(0).random(25)
    together = bootstrap_all(lambda x: [x.mean(), np.median(x)], (data,), resamples=100)
    apart = [bootstrap_all(f, (data,), resamples=100)[0] for f in (np.mean, np.median)]
    assert together[0] == pytest.approx(apart[0])
    assert together[1] == pytest.approx(apart[1])


@pytest.mark.parametrize("method", ["bca", "percentile"])
def test_bootstrap_equals_scipy_with_the_same_seed(method: Method) -> None:
    stats = pytest.importorskip("scipy.stats")
    values = np.random.default_rng(4).beta(5, 1, 37)
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=2000, method=method, rng=np.random.default_rng(11)
    ).confidence_interval
    (found,) = bootstrap_all(np.mean, (values,), method=method, seed=11)
    assert found == pytest.approx(tuple(theirs), abs=1e-9)
