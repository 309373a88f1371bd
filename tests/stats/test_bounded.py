"""Means of scores between bounds: the interval holds every mean that the undecided cases allow."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.stats.bounded import bounded_mean, bounded_pass_rate
from ragstone.stats.interval import mean_interval, rate_interval

bounds = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)).map(sorted), min_size=1, max_size=30)


def test_undecided_cases_give_a_range_and_no_single_mean() -> None:
    lows, highs = [1.0] * 84 + [0.0] * 16, [1.0] * 92 + [0.0] * 8
    found = bounded_mean(lows, highs)
    assert (found.low, found.high, found.undecided) == (0.84, 0.92, 8)
    assert found.interval.low == rate_interval(84, 100).low
    assert found.interval.high == rate_interval(92, 100).high
    assert str(found) == "0.84 to 0.92 (0.76\N{EN DASH}0.96); 8 % undecided"


@given(bounds)
def test_interval_holds_both_ends_and_the_interval_of_any_scores_between_the_bounds(
    pairs: list[list[float]],
) -> None:
    lows, highs = zip(*pairs, strict=True)
    found = bounded_mean(lows, highs)
    assert found.low is not None
    assert found.high is not None
    assert found.interval.low <= found.low <= found.high <= found.interval.high
    assert found.interval.n == len(pairs)


@given(st.lists(st.floats(0, 1), max_size=30), st.integers(1, 5))
def test_decided_scores_give_the_usual_interval(scores: list[float], group_count: int) -> None:
    clusters = [place % group_count for place in range(len(scores))]
    found = bounded_mean(scores, scores, clusters)
    assert found.interval == mean_interval(scores, clusters)
    assert found.undecided == 0


def test_clusters_widen_both_ends() -> None:
    lows = np.repeat([1.0, 0.0, 1.0, 1.0, 0.0, 1.0], 10)
    highs = np.repeat([1.0, 1.0, 1.0, 1.0, 0.0, 1.0], 10)
    alone, grouped = bounded_mean(lows, highs), bounded_mean(lows, highs, np.repeat(np.arange(6), 10))
    assert grouped.interval.low < alone.interval.low < alone.interval.high < grouped.interval.high
    assert grouped.interval.units == 6


def test_unbounded_scores_have_a_t_interval_at_both_ends() -> None:
    lows, highs = [3.0, 5.0, 4.0, 9.0], [3.0, 8.0, 4.0, 9.0]
    found = bounded_mean(lows, highs)
    assert found.interval.method == "t"
    assert (found.interval.low, found.interval.high) == (mean_interval(lows).low, mean_interval(highs).high)


def test_pass_rate_counts_what_surely_and_what_possibly_passes() -> None:
    found = bounded_pass_rate([True, False, False, False], [True, False, True, True])
    assert (found.low, found.high, found.undecided) == (0.25, 0.75, 2)
    assert found.interval.low == rate_interval(1, 4).low
    assert found.interval.high == rate_interval(3, 4).high


def test_no_case_gives_no_mean() -> None:
    found = bounded_mean([], [])
    assert (found.low, found.high, str(found)) == (None, None, "no case")
    assert (found.interval.low, found.interval.high, found.undecided_share) == (0.0, 1.0, 0.0)


def test_crossed_bounds_are_refused() -> None:
    with pytest.raises(ValueError, match=r"lows\[1\] is 0.8, above highs\[1\], 0.3"):
        bounded_mean([0.1, 0.8], [0.2, 0.3])
    with pytest.raises(ValueError, match="give one entry per case"):
        bounded_mean([0.1], [0.2, 0.3])
