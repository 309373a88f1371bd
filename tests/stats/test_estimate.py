"""An estimate is a number with its bootstrap interval."""

import numpy as np
import pytest

from ragstone.stats.correlation import spearman
from ragstone.stats.estimate import Estimate, estimate, estimates

RNG = np.random.default_rng(13)


def test_estimate_equals_scipys_paired_bootstrap() -> None:
    stats = pytest.importorskip("scipy.stats")
    x = RNG.normal(0, 1, 40)
    y = x + RNG.normal(0, 1, 40)
    theirs = stats.bootstrap(
        (x, y),
        lambda a, b: stats.pearsonr(a, b)[0],
        paired=True,
        vectorized=False,
        n_resamples=500,
        rng=np.random.default_rng(3),
    ).confidence_interval
    found = estimate(lambda a, b: stats.pearsonr(a, b)[0], x, y, resamples=500, seed=3)
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == pytest.approx(tuple(theirs), abs=1e-9)


def test_clusters_widen_the_estimates_interval() -> None:
    x = np.repeat(RNG.normal(0, 1, 20), 6)
    y = np.repeat(RNG.normal(0, 1, 20), 6) + x
    alone = estimate(spearman, x, y, resamples=200)
    grouped = estimate(spearman, x, y, clusters=[i // 6 for i in range(120)], resamples=200)
    assert alone.value == grouped.value
    assert alone.interval is not None
    assert grouped.interval is not None
    assert grouped.interval.width > 1.5 * alone.interval.width
    assert grouped.interval.units == 20


def test_undefined_value_has_no_interval() -> None:
    assert estimate(spearman, [1.0, 1.0], [1.0, 2.0], resamples=10) == Estimate(None, None)
    assert str(Estimate(None, None)) == "undefined"
    assert str(Estimate(0.5, None)) == "0.50"
    assert estimates(lambda x: [x.mean()], []) == []


def test_estimate_without_variation_has_no_interval() -> None:
    assert estimate(spearman, [1.0, 2.0, 3.0], [1.0, 2.0, 3.0], resamples=20) == Estimate(1.0, None)


def test_many_units_use_the_percentile_method() -> None:
    found = estimate(np.mean, RNG.random(600), resamples=100)
    assert found.interval is not None
    assert found.interval.method == "percentile"
