"""A figure counts what became of every case beside the mean, and its interval holds what is undecided."""

import math

import pytest

from ragstone.stats.figure import figure_of
from ragstone.stats.interval import mean_interval, rate_interval
from ragstone.status import STATUSES, Status


def statuses(**counts: int) -> list[Status | None]:
    return [status for status in STATUSES for _ in range(counts.get(status, 0))]


def test_errors_and_skips_are_counted_beside_the_mean() -> None:
    found = figure_of([1.0, 0.5, 0.0], ["passed", "passed", "missed"], not_measured=3, skipped=5)
    assert (found.n, found.passed, found.missed, found.not_measured, found.skipped) == (3, 2, 1, 3, 5)
    assert found.mean == found.low == found.high == pytest.approx(0.5)
    assert found.pass_rate == pytest.approx(2 / 3)
    assert found.interval == mean_interval([1.0, 0.5, 0.0])
    assert found.pass_interval == rate_interval(2, 3)
    assert found.too_few
    assert not found.is_range


def test_figure_without_scores_has_no_mean() -> None:
    found = figure_of([], [], not_measured=2)
    assert (found.n, found.mean, found.low, found.pass_rate) == (0, None, None, None)
    assert found.interval.width == 1.0
    assert str(found) == "nothing measured (n = 0, 2 not measured)"


def test_undecided_cases_make_the_mean_a_range_that_the_interval_holds() -> None:
    scores, lows, highs = [1.0] * 8 + [None] * 4, [1.0] * 8 + [0.0] * 4, [1.0] * 12
    found = figure_of(scores, statuses(passed=8, undecided=4), lows=lows, highs=highs)
    assert (found.n, found.decided, found.undecided) == (12, 8, 4)
    assert (found.low, found.mean, found.high) == (pytest.approx(2 / 3), 1.0, 1.0)
    assert found.is_range
    assert found.interval.low == mean_interval(lows).low
    assert found.interval.high == mean_interval(highs).high
    assert found.pass_rate == pytest.approx(8 / 12)
    assert (found.pass_interval.low, found.pass_interval.high) == (
        rate_interval(8, 12).low,
        rate_interval(12, 12).high,
    )


def test_metric_without_a_threshold_has_no_pass_rate() -> None:
    found = figure_of([0.2, 0.4], [None, None])
    assert (found.mean, found.pass_rate, found.has_threshold) == (pytest.approx(0.3), None, False)


def test_groups_widen_the_interval() -> None:
    found = figure_of([0.1, 0.9, 0.8], ["missed", "passed", "passed"], groups=["a", "b", "b"])
    assert found.groups == 2
    assert found.interval == mean_interval([0.1, 0.9, 0.8], ["a", "b", "b"])


def test_reads_in_one_line() -> None:
    to = "\N{EN DASH}"
    found = figure_of([1.0] * 9 + [0.5] * 3, statuses(passed=9, missed=3), skipped=1)
    assert str(found) == f"0.88 (0.68{to}0.96), n = 12, 9 passed, 3 missed, 1 skipped"
    assert "too few to trust" in str(figure_of([1.0, 0.5], ["passed", "passed"]))


def test_inconsistent_columns_are_rejected() -> None:
    with pytest.raises(ValueError, match="has 2"):
        figure_of([0.5, 0.6], ["passed"])
    with pytest.raises(ValueError, match="not a finite number"):
        figure_of([math.nan], ["passed"])
