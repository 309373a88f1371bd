"""Quantiles with intervals: ranks by hand, coverage by simulation."""

from math import inf
from statistics import NormalDist

import numpy as np
import pytest
from tests.testing.for_each import for_each

from ragstone.stats import quantile_interval


def test_median_of_ten_lies_between_the_second_and_the_ninth_value() -> None:
    """The exact 95 % interval: binomial(10, 1/2) is below 2 or above 8 with a probability of 0.0215."""
    found = quantile_interval([float(value) for value in range(1, 11)], 0.5)
    assert (found.value, found.low, found.high, found.n) == (5.0, 2.0, 9.0, 10)


def test_few_values_bound_a_high_quantile_from_below_only() -> None:
    """The largest of n values lies above the 95th percentile with a probability of 1 - 0.95^n: 97.5 % from n = 72."""
    assert quantile_interval([float(n) for n in range(71)], 0.95).high == inf
    assert quantile_interval([float(n) for n in range(72)], 0.95).high == 71.0
    single = quantile_interval([3.0], 0.5)
    assert (single.low, single.value, single.high) == (-inf, 3.0, inf)


@for_each("share", [0.5, 0.95])
def test_interval_covers_for_independent_and_for_grouped_values(share: float) -> None:
    random, true, rounds = np.random.default_rng(5), float(np.exp(NormalDist().inv_cdf(share))), 300
    groups = np.repeat(np.arange(40), 5)
    hits = np.zeros(2)
    for _ in range(rounds):
        alone = random.lognormal(size=150).tolist()
        grouped = np.exp(
            np.sqrt(0.6) * random.normal(size=40)[groups] + np.sqrt(0.4) * random.normal(size=200)
        ).tolist()
        for place, found in enumerate(
            (quantile_interval(alone, share), quantile_interval(grouped, share, groups.tolist()))
        ):
            hits[place] += found.low <= true <= found.high
    assert (hits / rounds >= 0.915).all()


def test_bad_values_are_refused() -> None:
    for values, share in (([], 0.5), ([1.0], 0.0), ([1.0], 1.0), ([float("nan")], 0.5)):
        with pytest.raises(ValueError, match=r"share|values"):
            quantile_interval(values, share)
