"""Power of the paired comparison, against statsmodels and against itself."""

import math

import pytest

from ragstone.stats.power import cases_needed, detectable_difference


@pytest.mark.parametrize("n", [10, 100, 5000])
@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
def test_power_equals_statsmodels(n: int, power: float) -> None:
    tools = pytest.importorskip("statsmodels.stats.power")
    deviation = 0.3
    found = detectable_difference(deviation / math.sqrt(n), power=power)
    reached = tools.normal_power(found / deviation, n, 0.05)
    assert reached == pytest.approx(
        power, abs=1e-4
    )  # theirs adds the power of concluding the wrong direction
    assert cases_needed(found, deviation, power=power) == pytest.approx(n, abs=1)


def test_power_functions_reject_wrong_arguments() -> None:
    with pytest.raises(ValueError, match="give the smallest change that matters"):
        cases_needed(0.0, 0.3)
    with pytest.raises(ValueError, match="deviation is -1"):
        cases_needed(0.1, -1)
    with pytest.raises(ValueError, match="standard_error is nan"):
        detectable_difference(math.nan)
    with pytest.raises(ValueError, match="power is 80"):
        detectable_difference(0.1, power=80)
    assert cases_needed(0.1, 0.0) == 1
