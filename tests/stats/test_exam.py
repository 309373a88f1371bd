import pytest
from tests.testing.for_each import for_each

from ragstone.stats.exam import exam_figure
from ragstone.status import Status


def statuses(missed: int, passed: int, undecided: int = 0) -> list[Status | None]:
    counts: dict[Status, int] = {"missed": missed, "passed": passed, "undecided": undecided}
    return [status for status, count in counts.items() for _ in range(count)]


def test_counts_and_balanced_accuracy_are_of_the_decided_cases() -> None:
    found = exam_figure([False] * 10 + [True] * 10, [*statuses(7, 1, 2), *statuses(1, 7, 1), "not_measured"])
    assert (found.flawed_flagged, found.flawed_passed, found.sound_flagged, found.sound_passed) == (
        7,
        1,
        1,
        7,
    )
    assert (found.n, found.decided, found.right, found.undecided, found.not_measured) == (20, 16, 14, 3, 1)
    assert found.balanced_accuracy == pytest.approx(0.875)
    assert found.interval is not None
    # MOVER by hand: both shares are 7/8 with Wilson's interval .5291 to .9776
    assert found.interval.low == pytest.approx(0.875 - (0.875 - 0.52911) / 2**0.5, abs=1e-4)
    assert found.interval.high == pytest.approx(0.875 + (0.97758 - 0.875) / 2**0.5, abs=1e-4)


@for_each(
    "flawed, sound, fitness",
    [
        (statuses(70, 2), statuses(2, 70), "fit to decide cases"),
        (statuses(30, 1, 41), statuses(1, 30, 41), "fit for means only"),  # right, but it decides too few
        (statuses(52, 20), statuses(20, 52), "fit for means only"),
        (statuses(40, 32), statuses(32, 40), "not fit"),
        (statuses(72, 0), statuses(72, 0), "not fit"),  # flags everything
        (statuses(0, 0, 72), statuses(0, 0, 72), "not fit"),  # decides nothing
    ],
)
def test_fitness_follows_the_lower_end_and_the_share_decided(
    flawed: list[Status | None], sound: list[Status | None], fitness: str
) -> None:
    assert exam_figure([False] * 72 + [True] * 72, [*flawed, *sound]).fitness == fitness
