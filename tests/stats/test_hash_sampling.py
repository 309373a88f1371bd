import random

import numpy as np
import pytest

from ragstone.stats.hash_sampling import DrawnScore, hash_uniform, sampled_mean, tuned_trust


def test_hash_uniform_is_uniform_and_deterministic() -> None:
    found = [hash_uniform("salt", f"{number:032x}") for number in range(20_000)]
    kstest = pytest.importorskip("scipy.stats").kstest
    assert kstest(found, "uniform").pvalue > 1e-4
    assert hash_uniform("salt", "a") == hash_uniform("salt", "a") != hash_uniform("pepper", "a")
    assert all(0 <= value < 1 for value in found)


def test_sampled_mean_of_all_cases_is_exact() -> None:
    drawn = [DrawnScore(0.5, score / 10, 1.0) for score in range(11)]
    found = sampled_mean([0.5] * 11, drawn)
    assert (found.value, found.low, found.high) == (
        pytest.approx(0.5),
        pytest.approx(0.5),
        pytest.approx(0.5),
    )


def test_sampled_mean_is_unbiased_and_trust_narrows_the_interval() -> None:
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


def test_sampled_mean_of_few_cases_has_no_interval() -> None:
    drawn = [DrawnScore(0.5, number % 2, 0.1) for number in range(20)]
    found = sampled_mean([0.5] * 200, drawn)
    assert (found.value, found.low, found.high) == (pytest.approx(0.5), None, None)
    assert sampled_mean([0.5], []).value is None


def test_interval_covers_with_few_heavily_weighted_disagreements() -> None:
    """95 % pass, the judges agree in 97 %: a symmetric interval holds the mean in 91 to 92 % of such windows."""
    chance = np.random.default_rng(8)
    held = told = 0
    for _ in range(400):
        cheap = (chance.random(2000) < 0.95).astype(float)
        dear = np.where(chance.random(2000) < 0.97, cheap, 1 - cheap)
        probabilities = np.where(cheap < 0.5, 0.8, 0.08)
        chosen = np.flatnonzero(chance.random(2000) < probabilities).tolist()
        drawn = [DrawnScore(float(cheap[at]), float(dear[at]), float(probabilities[at])) for at in chosen]
        found = sampled_mean(cheap.tolist(), drawn, trust=0.9)
        if found.low is not None and found.high is not None:
            told += 1
            held += found.low <= float(dear.mean()) <= found.high
    assert told > 390
    assert held / told > 0.945


def test_interval_is_wider_on_the_side_of_possible_unseen_disagreements() -> None:
    agreeing = [DrawnScore(1.0, 1.0, 0.1)] * 150
    missed = sampled_mean([1.0] * 1500, [*agreeing, DrawnScore(1.0, 0.0, 0.1)] * 2)
    assert missed.value is not None
    assert missed.low is not None
    assert missed.high is not None
    assert missed.value - missed.low > 1.5 * (missed.high - missed.value)
    mirrored = [DrawnScore(0.0, 1 - one.dear, 0.1) for one in [*agreeing, DrawnScore(1.0, 0.0, 0.1)] * 2]
    mirror = sampled_mean([0.0] * 1500, mirrored)
    assert mirror.high == pytest.approx(1 - missed.low)


def test_full_agreement_of_drawn_cases_leaves_a_lower_bound() -> None:
    found = sampled_mean([1.0] * 1000, [DrawnScore(1.0, 1.0, 0.1)] * 100, trust=1.0)
    assert found.low == pytest.approx(0.025 ** (1 / 100))
    assert found.high == 1.0
    assert sampled_mean([1.0] * 50, [DrawnScore(1.0, 1.0, 1.0)] * 50, trust=1.0).low == 1.0
