"""Power of the paired comparison, against statsmodels and against itself."""

import math

import pytest
from tests.testing.for_each import for_each

from ragstone.stats.power import cases_needed, detectable_difference, least_units


@pytest.mark.parametrize("n", [10, 100, 5000])
@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
def test_power_equals_statsmodels_where_a_difference_brings_no_variance(n: int, power: float) -> None:
    tools = pytest.importorskip("statsmodels.stats.power")
    deviation = 0.3
    found = detectable_difference(deviation**2, 0.0, n, power=power)
    reached = tools.normal_power(found / deviation, n, 0.05)
    assert reached == pytest.approx(
        power, abs=1e-4
    )  # theirs adds the power of concluding the wrong direction
    assert cases_needed(found, deviation**2, 0.0, power=power) == pytest.approx(n, abs=1)


@pytest.mark.parametrize("n", [12, 60, 200])
@for_each("variance, change", [(0.0, 1.0), (0.01, 0.2), (0.09, 1.0)])
def test_difference_and_cases_are_inverse_and_count_the_variance_of_the_difference(
    n: int, variance: float, change: float
) -> None:
    found = detectable_difference(variance, change, n)
    assert found == pytest.approx(2.80159 * math.sqrt((variance + change * found) / n), rel=1e-5)
    assert cases_needed(found, variance, change) == pytest.approx(n, abs=1)


def test_200_quiet_cases_do_not_promise_to_find_what_16_would() -> None:
    assert cases_needed(0.05, 0.0, 1.0) == 157
    assert detectable_difference(0.0, 1.0, 200) == pytest.approx(0.0392, abs=1e-4)


def test_no_test_claims_anything_of_fewer_units_than_the_least() -> None:
    assert [least_units(level) for level in (0.95, 0.975, 1 - 0.05 / 4, 1 - 0.05 / 6)] == [6, 7, 8, 8]
    assert least_units(1 - 2**-5) == 6
    assert cases_needed(0.9, 0.0, 0.1) == 6


def test_power_functions_reject_wrong_arguments() -> None:
    with pytest.raises(ValueError, match="give the smallest change that matters"):
        cases_needed(0.0, 0.3, 1.0)
    with pytest.raises(ValueError, match="variance is -1"):
        cases_needed(0.1, -1, 1.0)
    with pytest.raises(ValueError, match="change is nan"):
        detectable_difference(0.1, math.nan, 5)
    with pytest.raises(ValueError, match="power is 80"):
        detectable_difference(0.1, 0.1, 5, power=80)
    with pytest.raises(ValueError, match="n is 0"):
        detectable_difference(0.1, 0.1, 0)
