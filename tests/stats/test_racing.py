"""A race of settings: its rungs, its level, and what is shown to be worse than the leader."""

import numpy as np
import pytest
from benchmarks.sweeps import figures
from numpy.typing import NDArray
from tests.testing.for_each import for_each

from ragstone.stats.compare import PairedScores
from ragstone.stats.racing import LeaderDifference, Race, difference_to_leader, leader_of, rungs_of

RACE = Race(settings=6, rungs=(25, 50, 100))


def compared(leader: NDArray[np.float64], other: NDArray[np.float64]) -> LeaderDifference:
    return difference_to_leader(PairedScores.decided(leader), PairedScores.decided(other), None, RACE)


@for_each(
    "cases, rungs",
    [
        (1, (1,)),
        (49, (49,)),
        (50, (25, 50)),
        (99, (50, 99)),
        (200, (25, 50, 100, 200)),
        (800, (50, 100, 200, 400, 800)),
    ],
)
def test_each_rung_has_half_of_the_cases_of_the_next(cases: int, rungs: tuple[int, ...]) -> None:
    assert rungs_of(cases) == rungs


def test_error_is_shared_among_all_pairs_in_all_rungs() -> None:
    assert pytest.approx(1 - 0.05 / (3 * 15)) == RACE.level


def test_setting_that_is_worse_in_half_of_the_cases_is_shown_to_be_worse() -> None:
    found = compared(np.ones(50), np.tile([0.0, 1.0], 25))
    assert found.worse
    assert found.difference == -0.5
    assert found.interval.high < 0.0


def test_equal_settings_are_not_told_apart_and_the_detectable_difference_is_stated() -> None:
    scores = np.tile([0.0, 1.0, 1.0], 20)
    found = compared(scores, np.roll(scores, 1))
    assert not found.worse
    assert found.detectable is not None
    assert 0.3 < found.detectable < 0.6
    assert compared(scores[:8], scores[:8]).detectable is None


def test_small_loss_in_every_case_leaves_room_for_a_gain_that_was_not_seen() -> None:
    assert not compared(np.full(25, 0.9), np.full(25, 0.8)).worse
    assert compared(np.full(400, 0.9), np.full(400, 0.8)).worse


def test_undecided_scores_count_for_the_setting_too() -> None:
    leader, other = PairedScores.decided(np.ones(50)), PairedScores(np.zeros(50), np.ones(50))
    assert not difference_to_leader(leader, other, None, RACE).worse
    assert leader_of([other, leader]) == 1


def test_cases_of_one_group_count_as_one() -> None:
    leader, other = PairedScores.decided(np.ones(60)), PairedScores.decided(np.tile([0.0, 1.0], 30))
    assert difference_to_leader(leader, other, None, RACE).worse
    groups = [number // 15 for number in range(60)]
    assert not difference_to_leader(leader, other, groups, RACE).worse


def test_best_of_a_known_order_is_kept_and_worse_settings_save_calls() -> None:
    lost, any_lost, kept, saved = figures("12 settings, four at 0.80, eight at 0.60", "shares", 200, draws=12)
    assert (lost, any_lost) == (0.0, 0.0)
    assert kept < 5
    assert saved > 0.4
