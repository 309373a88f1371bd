import random

import pytest
from scipy.stats import kstest

from ragstone.stats.hash_sampling import DrawnScore, hash_uniform, sampled_mean, tuned_trust


def test_the_hash_is_uniform_and_the_same_everywhere() -> None:
    found = [hash_uniform("salt", f"{number:032x}") for number in range(20_000)]
    assert kstest(found, "uniform").pvalue > 1e-4
    assert hash_uniform("salt", "a") == hash_uniform("salt", "a") != hash_uniform("pepper", "a")
    assert all(0 <= value < 1 for value in found)


def test_when_all_are_drawn_the_estimate_is_their_mean() -> None:
    drawn = [DrawnScore(0.5, score / 10, 1.0) for score in range(11)]
    found = sampled_mean([0.5] * 11, drawn)
    assert (found.value, found.low, found.high) == (
        pytest.approx(0.5),
        pytest.approx(0.5),
        pytest.approx(0.5),
    )


def test_weights_undo_boosts_and_trust_narrows_the_interval() -> None:
    chance = random.Random(4)
    values: list[float] = []
    widths: list[list[float]] = [[], []]
    for _ in range(60):
        cheap = [float(chance.random() < 0.8) for _ in range(1000)]
        dear = [f if chance.random() < 0.9 else 1 - f for f in cheap]
        drawn = [
            DrawnScore(f, y, p)
            for f, y in zip(cheap, dear, strict=True)
            if chance.random() < (p := 0.5 if f < 0.5 else 0.1)
        ]
        for place, trust in enumerate((0.0, tuned_trust(drawn))):
            found = sampled_mean(cheap, drawn, trust=trust)
            assert found.low is not None
            assert found.high is not None
            widths[place].append(found.high - found.low)
        values.append((found.value or 0) - sum(dear) / 1000)
    assert abs(sum(values) / 60) < 0.012
    assert sum(widths[1]) < 0.9 * sum(widths[0])


def test_few_are_told_to_be_too_few() -> None:
    drawn = [DrawnScore(0.5, number % 2, 0.1) for number in range(20)]
    found = sampled_mean([0.5] * 200, drawn)
    assert (found.value, found.low, found.high) == (pytest.approx(0.5), None, None)
    assert sampled_mean([0.5], []).value is None
