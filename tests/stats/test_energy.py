"""The energy test: its distance by hand, its level on equal samples, its power on others."""

import numpy as np
import pytest

from ragstone.stats.energy import energy_test


def test_energy_distance_equals_its_definition() -> None:
    first, second = np.array([[0.0], [1.0]]), np.array([[3.0], [4.0], [5.0]])
    across = np.mean([abs(x - y) for x in (0, 1) for y in (3, 4, 5)])
    inside = np.mean([abs(x - y) for x in (0, 1) for y in (0, 1)])
    outside = np.mean([abs(x - y) for x in (3, 4, 5) for y in (3, 4, 5)])
    distance, p_value = energy_test(first, second)
    assert distance == pytest.approx(2 * across - inside - outside)
    assert p_value == pytest.approx(0.1, abs=0.03)  # one of the ten divisions


def test_energy_test_false_positive_rate_is_within_its_level() -> None:
    chance = np.random.default_rng(1)
    found = [
        energy_test(chance.normal(size=(20, 3)), chance.normal(size=(30, 3)), seed=seed, resamples=99)[1]
        for seed in range(200)
    ]
    assert sum(p <= 0.1 for p in found) <= 34  # 20 are expected, 34 in one of a thousand such tests


def test_energy_test_finds_shift_and_spread_but_not_identical_points() -> None:
    chance = np.random.default_rng(2)
    first, second = chance.normal(size=(60, 4)), chance.normal(size=(60, 4))
    assert energy_test(first, second + 1)[1] <= 0.001
    assert energy_test(first, second * 3)[1] <= 0.01  # the same mean, another spread
    same = energy_test(np.ones((5, 2)), np.ones((7, 2)))
    assert same == (0.0, 1.0)


def test_energy_test_rejects_empty_or_mismatched_samples() -> None:
    for first, second in ((np.zeros((0, 2)), np.zeros((3, 2))), (np.zeros((3, 2)), np.zeros((3, 3)))):
        with pytest.raises(ValueError, match=r"give rows|must be equal"):
            energy_test(first, second)
