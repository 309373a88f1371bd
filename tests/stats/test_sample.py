"""Figures of a column: the same with numpy and without, and nothing that is not a number."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.testing.for_each import for_each

from ragstone.stats import _sample
from ragstone.stats._checks import same_length
from ragstone.stats._sample import describe

NUMBERS = st.lists(st.floats(-1e6, 1e6, allow_subnormal=False), min_size=2, max_size=30)


def test_lengths_must_be_equal() -> None:
    assert same_length(a=[1], b=(2,)) == 1
    with pytest.raises(ValueError, match="a has 1, b has 2: give one entry per case"):
        same_length(a=[1], b=(2, 3))


@given(values=NUMBERS)
def test_describe_equals_numpy_for_few_numbers(values: list[float]) -> None:
    found = describe(values)
    array = np.array(values)
    scale = max(1.0, float(np.abs(array).max()))
    assert found.mean == pytest.approx(array.mean(), abs=1e-12 * scale)
    assert found.variance == pytest.approx(array.var(ddof=1), abs=1e-9 * scale**2)
    assert (found.n, found.least, found.greatest) == (array.size, array.min(), array.max())
    assert found.two_valued == (len(set(values)) <= 2)


@pytest.mark.parametrize("value", [0.0, 0.1, 1.0])
@for_each("n", [3, 999, 1000])
def test_equal_numbers_do_not_vary(value: float, n: int) -> None:
    found = describe([value] * n)
    assert (found.mean, found.varied, found.two_valued) == (value, False, True)
    assert found.variance == pytest.approx(0.0, abs=1e-30)


def test_describe_with_numpy_equals_describe_without(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(5).random(50)
    few = describe(values)
    monkeypatch.setattr(_sample, "_MIN_VALUES_FOR_NUMPY", 10)
    assert describe(values) == pytest.approx(few, abs=1e-15)
    assert describe([0.0, 1.0] * 20).two_valued


def test_describe_of_no_number_and_of_one() -> None:
    assert describe([]).n == 0
    one = describe([True])
    assert (one.n, one.mean, math.isnan(one.variance)) == (1, 1.0, True)


@for_each("wrong", [None, math.nan, math.inf])
def test_describe_rejects_non_finite_values_by_name(wrong: float) -> None:
    with pytest.raises(ValueError, match=r"scores\[1\] is .*, not a finite number"):
        describe([0.5, wrong], "scores")
    with pytest.raises(ValueError, match=r"scores has shape \(2, 1\)"):
        describe(np.zeros((2, 1)), "scores")
