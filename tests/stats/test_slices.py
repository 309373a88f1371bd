import pytest
from benchmarks.coverage.slices import PLANTED, slice_figures

from ragstone.stats import find_slices, rate_difference_interval
from ragstone.stats.slices import Label


def rows(bad: int, good: int, other_bad: int, other_good: int) -> tuple[list[list[Label]], list[bool]]:
    labels: list[list[Label]] = [[("release", "2")]] * (bad + good) + [[("release", "1")]] * (
        other_bad + other_good
    )
    return labels, [True] * bad + [False] * good + [True] * other_bad + [False] * other_good


def test_slice_with_more_failures_is_found() -> None:
    search = find_slices(*rows(18, 12, 10, 60))
    (found,) = search.found
    assert found.labels == (("release", "2"),)
    assert (found.n, found.missed, found.rest_n, found.rest_missed) == (30, 18, 70, 10)
    assert found.difference == pytest.approx(0.6 - 1 / 7)
    assert 0 < found.interval.low < found.difference < found.interval.high
    assert found.p_value <= found.adjusted_p < 0.001
    assert search.tried == 2, "the other release is the complement, tried too, and fails less often"


def test_no_slice_for_few_cases_or_equal_shares() -> None:
    assert find_slices(*rows(9, 0, 0, 60)).tried == 0
    assert not find_slices(*rows(15, 15, 35, 35)).found
    assert find_slices([], []).tried == 0


def test_two_labels_of_different_kinds_make_a_slice() -> None:
    labels: list[list[Label]] = []
    missed: list[bool] = []
    for place in range(160):
        release, word = str(place % 2), "how" if place % 4 < 2 else "who"
        labels.append([("release", release), ("question word", word), ("tag", "a"), ("tag", "b")])
        missed.append(release == "1" and word == "how" and place % 5 < 4)
    first = find_slices(labels, missed).found[0]
    assert set(first.labels) == {("release", "1"), ("question word", "how")}
    assert not any(len(found.labels) == 2 for found in find_slices(labels, missed, most_labels=1).found)


def test_slices_of_the_same_cases_are_tried_once() -> None:
    labels: list[list[Label]] = [
        [("document", name), ("topic", name)] for name in ("a", "b", "c") for _ in range(20)
    ]
    assert find_slices(labels, [False] * 60).tried == 3


def test_slices_are_rarely_reported_without_effects() -> None:
    """The documentation's 1,000 datasets are simulated by `python -m benchmarks.coverage`; here 60 of them."""
    found = slice_figures(120, datasets=60)
    assert found.false_share <= 0.05
    assert found.tried > 50


def test_a_planted_slice_is_found() -> None:
    found = slice_figures(400, effect=0.3, datasets=12)
    assert found.planted_found >= 0.9
    assert PLANTED == ("release", "0")


def test_rate_difference_interval_of_newcombes_example() -> None:
    """Newcombe 1998, table II, method 10: 56/70 against 48/80 gives 0.0524 to 0.3339."""
    found = rate_difference_interval(56, 70, 48, 80)
    assert (found.low, found.high) == pytest.approx((0.0524, 0.3339), abs=5e-5)


def test_find_slices_rejects_invalid_arguments() -> None:
    with pytest.raises(ValueError, match="write 1 or 2"):
        find_slices([], [], most_labels=3)
    with pytest.raises(ValueError, match="one entry per case"):
        find_slices([[]], [])
    with pytest.raises(ValueError, match="no case"):
        rate_difference_interval(0, 0, 1, 2)
