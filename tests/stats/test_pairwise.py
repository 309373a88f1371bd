"""Pairwise agreement."""

import numpy as np
import pytest

from ragstone.stats.correlation import pearson
from ragstone.stats.pairwise import agree_on_pairs, preference_accuracy


def test_agree_on_pairs_correlates_preference_with_score_difference() -> None:
    rng = np.random.default_rng(0)
    first, second = rng.random(60), rng.random(60)
    wanted = np.clip(np.round(3 * (second - first) + rng.normal(0, 0.5, 60)), -2, 2)
    found = agree_on_pairs(wanted, first, second, annotators=[[w, w] for w in wanted.tolist()], resamples=100)
    assert found.pearson.value == pytest.approx(pearson(wanted, second - first))
    assert found.accuracy.value == pytest.approx(preference_accuracy(wanted, second - first))
    assert found.ceiling is not None
    assert found.ceiling.human.value == pytest.approx(1.0)
    assert found.ceiling.judge.value == pytest.approx(found.pearson.value)
    turned = agree_on_pairs(-wanted, second, first, resamples=20)
    assert turned.pearson.value == pytest.approx(found.pearson.value)


def test_preference_accuracy_counts_ties_half_and_skips_no_preference() -> None:
    assert preference_accuracy(np.array([1.0, -2.0, 0.0, 1.0]), np.array([0.1, 0.0, 5.0, -1.0])) == 0.5
    assert preference_accuracy(np.array([1.0, -2.0, 3.0]), np.array([0.1, -5.0, 0.2])) == 1.0
    assert preference_accuracy(np.array([1.0, -2.0]), np.array([-0.1, 5.0])) == 0.0
    assert preference_accuracy(np.array([1.0, -2.0]), np.array([0.0, 0.0])) == 0.5
    assert np.isnan(preference_accuracy(np.zeros(3), np.ones(3)))


def test_agree_on_pairs_defaults_to_95_percent_and_seed_0() -> None:
    rng = np.random.default_rng(1)
    first, second, noise = rng.random(40), rng.random(40), rng.normal(0, 0.5, 40)
    wanted = second - first + noise
    found = agree_on_pairs(wanted, first, second, resamples=50)
    assert found == agree_on_pairs(wanted, first, second, level=0.95, seed=0, resamples=50)
    assert found != agree_on_pairs(wanted, first, second, seed=1, resamples=50)
    assert found.pearson.interval.level == 0.95


def test_no_pair_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no pair"):
        agree_on_pairs([], [], [])
