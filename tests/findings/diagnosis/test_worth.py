"""What mending is worth, from outcomes: by hand, and the coverage of its intervals by simulation."""

import random

import pytest
from tests.testing.for_each import for_each

from ragstone.findings.diagnosis.causes import CAUSES
from ragstone.findings.diagnosis.worth import ArmOutcomes, arm_rates, cause_gains, shapley_parts


def outcome(place: int, cause: str, arms: str, group: object = None) -> ArmOutcomes:
    """Return the outcomes of `real passages answers both`, 1 where it passes."""
    return ArmOutcomes(place, cause, *(arm == "1" for arm in arms), group=group)  # type: ignore[arg-type]


OUTCOMES = [
    outcome(0, "cut", "0101"),
    outcome(1, "cut", "0101"),
    outcome(2, "cut", "1101"),
    outcome(3, "cut", "0001"),
    outcome(4, "misread", "0011"),
    outcome(5, "misread", "0010"),
]


def test_cause_gains_match_a_hand_calculation() -> None:
    """Of 20 test cases 8 were cut and 2 misread; 4 of the cut ones were measured: (3 - 1) / 4 of 8 / 20 is 0.2."""
    cut, misread = cause_gains(OUTCOMES, {CAUSES["cut"]: 8, CAUSES["misread"]: 2}, 20, 0.5)
    assert (cut.cause.name, cut.cases, cut.measured) == ("cut", 8, 4)
    assert cut.gain.value == pytest.approx(0.2)
    assert cut.worth == pytest.approx(0.7)
    assert (cut.rates.real, cut.rates.passages, cut.rates.answers, cut.rates.both) == (0.25, 0.75, 0, 1)
    assert misread.gain.value == pytest.approx(0.1)
    interval = cut.gain.interval
    assert interval is not None
    assert -0.4 <= interval.low < 0.2 < interval.high <= 0.4


def test_shapley_parts_match_a_hand_calculation() -> None:
    """Retriever, case by case: 1, 1, 0.5, 0.5, 0, -0.5; together 2.5 of 6. Generator: 0, 0, -0.5, 0.5, 1, 0.5."""
    retriever, generator = shapley_parts(OUTCOMES)
    assert retriever.value == pytest.approx(2.5 / 6)
    assert generator.value == pytest.approx(1.5 / 6)
    rates = arm_rates(OUTCOMES)
    assert rates.both - rates.real == pytest.approx((retriever.value or 0) + (generator.value or 0))


def test_gains_without_outcomes_are_empty() -> None:
    assert cause_gains([], {}, 10, 0.5) == ()
    assert shapley_parts([])[0].value is None


@for_each("before, after", [(0.0, 0.7), (0.2, 0.6), (0.1, 1.0), (0.3, 0.3)])
def test_the_interval_of_a_gain_covers_the_planted_one(before: float, after: float) -> None:
    """400 runs in which 30 of 100 test cases have the cause: about 95 % of the intervals hold the planted gain."""
    rng = random.Random(7)
    runs, held = 400, 0
    for _ in range(runs):
        drawn = [
            ArmOutcomes(n, "cut", rng.random() < before, rng.random() < after, False, True) for n in range(30)
        ]
        (gain,) = cause_gains(drawn, {CAUSES["cut"]: 30}, 100, 0.5)
        interval = gain.gain.interval
        assert interval is not None
        held += interval.low <= 0.3 * (after - before) <= interval.high
    assert held / runs >= 0.93


def test_grouped_failures_have_wider_intervals() -> None:
    rows = [outcome(n, "cut", "0101" if n // 10 % 2 else "0001") for n in range(60)]
    alone = cause_gains(rows, {CAUSES["cut"]: 60}, 60, 0.0)[0].gain.interval
    grouped = cause_gains(
        [row._replace(group=row.place // 10) for row in rows], {CAUSES["cut"]: 60}, 60, 0.0
    )[0].gain.interval
    assert alone is not None
    assert grouped is not None
    assert grouped.width > 1.5 * alone.width
