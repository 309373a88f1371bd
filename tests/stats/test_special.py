"""Quantiles equal scipy's."""

from itertools import product

import pytest
from tests.testing.for_each import for_each

from ragstone.stats._special import beta_cdf, beta_quantile, t_quantile


@for_each(
    "a, b, probability",
    product([0.5, 1.0, 3.2, 40.0, 3000.0], [0.5, 2.0, 77.0, 50_000.0], [0.001, 0.025, 0.5, 0.975, 0.9995]),
)
def test_beta_equals_scipy(a: float, b: float, probability: float) -> None:
    beta = pytest.importorskip("scipy.stats").beta
    x = beta.ppf(probability, a, b)
    assert beta_quantile(probability, a, b) == pytest.approx(x, abs=1e-9)
    assert beta_cdf(x, a, b) == pytest.approx(beta.cdf(x, a, b), abs=1e-9)


@for_each(
    "df, probability",
    product([0.7, 1.0, 2.5, 9.0, 199.0, 999.0, 1000.0, 1e6], [0.005, 0.5, 0.9, 0.975, 0.9995]),
)
def test_t_equals_scipy(df: float, probability: float) -> None:
    t = pytest.importorskip("scipy.stats").t
    assert t_quantile(probability, df) == pytest.approx(t.ppf(probability, df), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(("a", "b"), [(0.5, 0.5), (0.35, 0.5), (1.6, 0.5), (5.2, 0.5), (0.5, 400.0)])
@for_each("probability", [1e-6, 0.001, 0.3, 0.95])
def test_beta_quantile_converges_to_full_precision(a: float, b: float, probability: float) -> None:
    found = beta_quantile(probability, a, b)
    assert beta_cdf(found, a, b) == pytest.approx(probability, rel=1e-11)


@for_each("edge", [0.0, 1.0])
def test_beta_quantile_at_probability_0_and_1(edge: float) -> None:
    assert beta_quantile(edge, 0.5, 3.0) == edge
