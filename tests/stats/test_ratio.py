"""Ratios of two runs over the same cases: by hand, and their coverage by simulation."""

from math import inf

import numpy as np
import pytest

from ragstone.stats import paired_mean_ratio, paired_quantile_ratio


def test_proportional_values_have_an_exact_ratio() -> None:
    before = [1.0, 2.0, 3.0, 10.0]
    found = paired_mean_ratio(before, [0.5 * value for value in before])
    assert found is not None
    assert (found.before, found.after, found.ratio) == (4.0, 2.0, 0.5)
    assert found.low == pytest.approx(0.5)
    assert found.high == pytest.approx(0.5)


def test_no_ratio_without_a_positive_mean_and_no_interval_of_one_case() -> None:
    assert paired_mean_ratio([0.0], [1.0]) is None
    assert paired_mean_ratio([], []) is None
    assert paired_quantile_ratio([0.0], [1.0], 0.95) is None
    single = paired_mean_ratio([2.0], [1.0])
    assert single is not None
    assert (single.ratio, single.low, single.high) == (0.5, 0.0, inf)
    grouped = paired_mean_ratio([2.0, 3.0], [1.0, 1.0], ["a", "a"])
    assert grouped is not None
    assert grouped.high == inf
    few = paired_quantile_ratio([1.0] * 19, [2.0] * 19, 0.95)
    assert few is not None
    assert (few.ratio, few.high) == (2.0, inf)


def test_pairing_makes_the_interval_of_the_mean_narrow_and_it_covers() -> None:
    random, rounds, hits, widths = np.random.default_rng(2), 400, 0, []
    for _ in range(rounds):
        difficulty = random.normal(size=100)
        before, after = (scale * np.exp(difficulty + 0.3 * random.normal(size=100)) for scale in (1.0, 0.62))
        found = paired_mean_ratio(before.tolist(), after.tolist())
        assert found is not None
        hits += found.low <= 0.62 <= found.high
        widths.append(found.high - found.low)
    assert hits / rounds >= 0.91
    assert np.mean(widths) < 0.17


def test_quantile_ratio_is_that_of_the_quantiles() -> None:
    before = [float(value) for value in range(1, 101)]
    found = paired_quantile_ratio(before, [2 * value for value in before], 0.95)
    assert found is not None
    assert (found.before, found.after, found.ratio) == (95.0, 190.0, 2.0)
    assert found.low == found.high == 2.0
