"""The cluster-robust variance."""

import numpy as np
import pytest

from ragstone.stats._sample import spread

RNG = np.random.default_rng(14)


def test_singletons_give_the_textbook_variance() -> None:
    values = RNG.random(30)
    found = spread(values, np.arange(30))
    assert found.variance == pytest.approx(values.var(ddof=1) / 30, abs=1e-15)
    assert (found.units, found.effective_units) == (30, pytest.approx(30.0))


def test_equal_clusters_equal_statsmodels() -> None:
    linear = pytest.importorskip("statsmodels.regression.linear_model")
    effects = np.repeat(RNG.normal(0, 1, 25), 6)
    values = effects + RNG.normal(0, 1, 150)
    codes = np.repeat(np.arange(25), 6)
    fit = linear.OLS(values, np.ones(150)).fit(
        cov_type="cluster", cov_kwds={"groups": codes, "use_correction": False}
    )
    # Clusters of equal size: CR2 is CR0 times G / (G - 1).
    assert spread(values, codes).variance == pytest.approx(fit.cov_params()[0, 0] * 25 / 24, abs=1e-12)


def test_negative_cluster_correlation_does_not_reduce_variance() -> None:
    values = np.array([0.0, 1.0] * 10)
    assert spread(values, np.repeat(np.arange(10), 2)).variance == pytest.approx(values.var(ddof=1) / 20)
