"""Intervals: equal to the reference libraries, and never certain of what they cannot know."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.testing.for_each import for_each

from ragstone.stats.interval import (
    Interval,
    RateMethod,
    clustered_rate_interval,
    interval_from,
    mean_interval,
    rate_interval,
)

scores = st.lists(st.floats(0, 1, allow_subnormal=False), min_size=1, max_size=40)


@for_each(
    "method, n, level",
    product(["wilson", "exact"], [1, 2, 10, 57, 1000, 40_000], [0.8, 0.95, 0.99]),
)
def test_rate_intervals_equal_statsmodels(method: RateMethod, n: int, level: float) -> None:
    proportion = pytest.importorskip("statsmodels.stats.proportion")
    theirs = {"wilson": "wilson", "exact": "beta"}[method]
    for successes in {0, 1, n // 3, n // 2, n - 1, n}:
        low, high = proportion.proportion_confint(successes, n, alpha=1 - level, method=theirs)
        found = rate_interval(successes, n, method, level=level)
        assert (found.low, found.high) == pytest.approx((low, high), abs=1e-9)


def test_t_interval_equals_scipy_on_unbounded_values() -> None:
    stats = pytest.importorskip("scipy.stats")
    values = np.random.default_rng(3).normal(250.0, 80.0, 23)
    theirs = stats.t.interval(0.95, 22, values.mean(), stats.sem(values))
    found = mean_interval(values)
    assert found.method == "t"
    assert (found.low, found.high) == pytest.approx(theirs, abs=1e-9)


def test_pass_or_fail_scores_give_wilsons_interval() -> None:
    as_mean = mean_interval([1.0] * 17 + [0.0] * 3)
    as_rate = rate_interval(17, 20)
    assert as_mean.method == "wilson"
    assert (as_mean.low, as_mean.high) == pytest.approx((as_rate.low, as_rate.high), abs=1e-12)


@for_each("value", [0.0, 0.3, 1.0])
def test_equal_values_have_nonzero_interval_width(value: float) -> None:
    few, many = mean_interval([value] * 10), mean_interval([value] * 1000)
    assert few.width > 0.15
    assert 0.0 < many.width < 0.01
    assert value in few


def test_one_cluster_of_all_cases_is_ignored() -> None:
    values = [0.2, 0.9, 0.7, 1.0]
    assert mean_interval(values, ["a"] * 4) == mean_interval(values)


def test_singleton_clusters_are_ignored() -> None:
    values = [0.2, 0.9, 0.7, 1.0]
    assert mean_interval(values, [None] * 4) == mean_interval(values, list("abcd")) == mean_interval(values)


def test_interval_of_repeated_cases_equals_that_of_their_clusters() -> None:
    per_document = [float(x) for x in np.random.default_rng(5).integers(0, 6, 30) / 5]
    repeated = [x for x in per_document for _ in range(8)]
    documents = [document for document in range(30) for _ in range(8)]
    grouped = mean_interval(repeated, documents)
    alone = mean_interval(per_document)
    assert (grouped.low, grouped.high) == pytest.approx((alone.low, alone.high), abs=0.01)
    assert grouped.width >= alone.width
    assert grouped.width > 2.5 * mean_interval(repeated).width
    assert (grouped.n, grouped.units) == (240, 30)


def test_clustered_rate_of_equal_passes_counts_clusters_not_cases() -> None:
    found = clustered_rate_interval([True] * 100, [i // 10 for i in range(100)])
    assert found.low < rate_interval(10, 10).low + 0.01


def test_intervals_of_no_value_and_one_value() -> None:
    assert mean_interval([]) == Interval(0.0, 1.0, 0.95, "none", 0, 0)
    assert rate_interval(0, 0) == Interval(0.0, 1.0, 0.95, "none", 0, 0)
    assert mean_interval([0.7]).width > 0.7
    assert mean_interval([7.0]).low == -math.inf


def test_one_large_of_two_clusters_is_too_few() -> None:
    found = mean_interval([0.5, 0.9] * 100 + [0.7], ["giant"] * 200 + ["dwarf"])
    assert found.too_few
    assert 0.0 <= found.low < found.high <= 1.0


def test_too_few_counts_independent_units() -> None:
    assert mean_interval([0.5, 0.6] * 4).too_few
    assert not mean_interval([0.5, 0.6] * 5).too_few
    assert mean_interval([0.5, 0.6] * 50, [i // 20 for i in range(100)]).too_few


@for_each("bad", [math.nan, math.inf, None])
def test_non_finite_value_is_rejected_with_its_index(bad: float) -> None:
    with pytest.raises(ValueError, match=r"values\[1\] is (nan|inf|None), not a finite number"):
        mean_interval([0.5, bad, 0.7])


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="level is 95"):
        mean_interval([0.5], level=95)
    with pytest.raises(ValueError, match="successes is 5 of n = 4"):
        rate_interval(5, 4)
    with pytest.raises(ValueError, match="clusters has 1 entries for 2 values"):
        mean_interval([0.5, 0.6], ["a"])
    with pytest.raises(ValueError, match=r"values\[0\] is 3, outside the bounds"):
        mean_interval([3.0], bounds=(0, 1))


@given(scores)
@example([0.0, 1e-239])
def test_interval_stays_on_the_scale_around_the_mean(values: list[float]) -> None:
    found = mean_interval(values)
    assert 0.0 <= found.low <= np.mean(values) + 1e-9
    assert np.mean(values) - 1e-9 <= found.high <= 1.0
    assert found.width > 0.0


@given(scores, st.randoms(use_true_random=False))
def test_order_does_not_matter(values: list[float], random: object) -> None:
    shuffled = list(values)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    one, other = mean_interval(values), mean_interval(shuffled)
    assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=1e-9)


@given(scores)
def test_a_higher_level_is_wider(values: list[float]) -> None:
    assert mean_interval(values, level=0.8).width <= mean_interval(values, level=0.99).width


@given(st.integers(0, 60), st.integers(1, 60))
def test_rate_interval_moves_up_with_successes(successes: int, more: int) -> None:
    n = 120
    one, other = rate_interval(successes, n), rate_interval(successes + more, n)
    assert one.low <= other.low
    assert one.high <= other.high
    assert successes / n in one


def test_interval_str_is_a_range() -> None:
    assert str(Interval(0.7, 0.781, 0.95, "wilson", 50, 50)) == "0.70\N{EN DASH}0.78"


@given(st.lists(st.sampled_from([0.0, 0.25, 0.3, 0.9, 1.0]), min_size=1, max_size=60))
def test_interval_from_mean_and_deviation_equals_mean_interval(scores: list[float]) -> None:
    deviation = float(np.std(scores, ddof=1)) if len(scores) > 1 else None
    whole, summed = mean_interval(scores), interval_from(len(scores), float(np.mean(scores)), deviation)
    assert summed is not None
    assert (summed.low, summed.high) == pytest.approx((whole.low, whole.high), abs=1e-6)


def test_interval_from_no_scores_is_none() -> None:
    assert interval_from(0, None, None) is None
