"""People's checks narrow a bounded mean, and never leave the bounds."""

import numpy as np
import pytest

from ragstone.stats.bounded import bounded_mean, narrowed_mean

LOWS = [1.0] * 60 + [0.0] * 20 + [0.5] * 20
HIGHS = [1.0] * 60 + [0.0] * 20 + [1.0] * 20


def checked(truths: dict[int, float]) -> list[float | None]:
    return [truths.get(place) for place in range(len(LOWS))]


def test_ten_checks_halve_the_range_around_what_people_found() -> None:
    found = narrowed_mean(LOWS, HIGHS, checked({80 + i: 1.0 if i < 8 else 0.5 for i in range(10)}))
    assert found.checked == 10
    # 0.6 from the decided cases, 0.1 from the lower bounds, and 8.5 / 11 of the undecided tenth.
    assert found.value == pytest.approx(0.7 + 0.1 * (4.0 + 0.25) / (5.0 + 0.5))
    assert found.bounds == bounded_mean(LOWS, HIGHS)
    assert found.interval.width < found.bounds.interval.width
    assert found.bounds.interval.low <= found.interval.low <= found.value <= found.interval.high


def test_fewer_than_two_checks_leave_the_bounds_alone() -> None:
    found = narrowed_mean(LOWS, HIGHS, checked({80: 1.0}))
    assert (found.value, found.checked, found.interval) == (None, 1, bounded_mean(LOWS, HIGHS).interval)


def test_checks_of_decided_cases_are_ignored() -> None:
    assert narrowed_mean(LOWS, HIGHS, checked({0: 0.3, 1: 0.2})).checked == 0


def test_groups_widen_the_interval() -> None:
    truths = checked({80 + i: 1.0 if i < 5 else 0.5 for i in range(10)})
    groups = np.repeat(np.arange(10), 10)
    assert (
        narrowed_mean(LOWS, HIGHS, truths, groups).interval.width
        > narrowed_mean(LOWS, HIGHS, truths).interval.width
    )


def test_a_check_outside_its_bounds_is_refused() -> None:
    with pytest.raises(ValueError, match=r"truths\[85\] is 0.2, outside its bounds 0.5 to 1"):
        narrowed_mean(LOWS, HIGHS, checked({85: 0.2}))
