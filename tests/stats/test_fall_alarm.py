import random

import pytest
from tests.testing.for_each import for_each

from ragstone.errors import BadOption
from ragstone.stats.fall_alarm import FallAlarm


def until_raised(mean: float, floor: float, run_length: float, seed: int, most: int) -> int:
    chance, alarm = random.Random(seed), FallAlarm(floor, run_length)
    for count in range(1, most + 1):
        alarm = alarm.add(1.0 if chance.random() < mean else 0.0)
        if alarm.raised:
            return count
    return most


def test_fall_alarm_evidence_of_one_score_by_hand() -> None:
    alarm = FallAlarm(0.75, 2.0).add(0.25)  # largest bet: 1 / (2 · 0.25) = 2, so (0 + 1)(1 + 2 · 0.5) = 2
    assert alarm.evidence == pytest.approx((2.0, 1.5, 1.25, 1.125, 1.0625))
    assert (alarm.count, alarm.mean, alarm.raised) == (1, 0.25, False)
    assert alarm.restarted() == FallAlarm(0.75, 2.0)


def test_mean_time_to_false_alarm_is_at_least_the_run_length() -> None:
    times = [until_raised(0.8, 0.8, 100, seed, 5000) for seed in range(150)]
    assert sum(times) / len(times) >= 100


def test_fall_alarm_detects_a_fall_within_120_scores() -> None:
    times = sorted(until_raised(0.6, 0.8, 1000, seed, 5000) for seed in range(40))
    assert times[20] < 120


def test_low_count_and_total_cover_scores_since_the_fall_only() -> None:
    alarm, low = FallAlarm(0.8, 1000), 0
    for _ in range(500):
        alarm = alarm.add(1.0)
    assert (alarm.low_count, alarm.low_total) == (0, 0.0)
    while not alarm.raised:
        alarm, low = alarm.add(0.5), low + 1
    assert (alarm.low_count, alarm.low_total) == (low, 0.5 * low)
    assert alarm.mean is not None
    assert alarm.mean > 0.8
    assert alarm.restarted().low_count == 0


@for_each("floor, run_length", [(0.0, 10), (1.0, 10), (0.5, 0.5)])
def test_fall_alarm_rejects_invalid_floor_or_run_length(floor: float, run_length: float) -> None:
    with pytest.raises(BadOption):
        FallAlarm(floor, run_length)
