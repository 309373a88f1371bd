"""Correlations equal scipy's, ties and all."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.testing.for_each import for_each

from ragstone.stats.correlation import kendall, mean_ranks, pearson, spearman

MEASURES = [pearson, spearman, kendall]
pairs = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=60)


@pytest.mark.parametrize("n", [2, 3, 10, 500, 1600])
@pytest.mark.parametrize("levels", [2, 5, 10_000])
def test_correlations_equal_scipy(n: int, levels: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    rng = np.random.default_rng(n + levels)
    x = rng.integers(0, levels, n) / 7
    y = np.round(x + rng.normal(0, 1, n), 1)
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        pytest.skip("a constant side has no correlation")
    assert pearson(x, y) == pytest.approx(stats.pearsonr(x, y)[0], abs=1e-9)
    assert spearman(x, y) == pytest.approx(stats.spearmanr(x, y)[0], abs=1e-9)
    assert kendall(x, y) == pytest.approx(stats.kendalltau(x, y)[0], abs=1e-9)
    assert mean_ranks(y).tolist() == stats.rankdata(y).tolist()


@given(pairs)
def test_kendall_equals_its_definition(values: list[tuple[int, int]]) -> None:
    x, y = [float(a) for a, _ in values], [float(b) for _, b in values]
    signs = [(np.sign(x[i] - x[j]), np.sign(y[i] - y[j])) for i in range(len(values)) for j in range(i)]
    product = sum(a * b for a, b in signs)
    norm = math.sqrt(sum(a * a for a, _ in signs) * sum(b * b for _, b in signs))
    found = kendall(x, y)
    assert math.isnan(found) if norm == 0 else found == pytest.approx(product / norm, abs=1e-12)


@pytest.mark.parametrize("measure", MEASURES)
@given(pairs)
def test_correlation_bounds_symmetry_and_sign(measure, values) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
    x, y = [float(a) for a, _ in values], [float(b) for _, b in values]
    found = measure(x, y)
    if math.isnan(found):
        return
    assert -1.0 - 1e-12 <= found <= 1.0 + 1e-12
    assert measure(y, x) == pytest.approx(found, abs=1e-12)
    assert measure(x, [-b for b in y]) == pytest.approx(-found, abs=1e-12)
    assert measure(x, [3 * b + 1 for b in y]) == pytest.approx(found, abs=1e-9)


@for_each("measure", MEASURES)
def test_a_constant_side_has_no_correlation(measure) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
    assert math.isnan(measure([1.0, 1.0, 1.0], [1.0, 2.0, 3.0]))
    assert math.isnan(measure([], []))
    assert math.isnan(measure([1.0], [2.0]))
    with pytest.raises(ValueError, match="first has 1, second has 2"):
        measure([1.0], [1.0, 2.0])
    with pytest.raises(ValueError, match=r"second\[0\] is nan"):
        measure([1.0], [math.nan])


def test_tiny_and_huge_values_do_not_overflow() -> None:
    assert pearson([1e200, 2e200, 4e200], [1e-200, 2e-200, 4e-200]) == pytest.approx(1.0)
