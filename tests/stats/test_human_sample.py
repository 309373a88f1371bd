import random

import pytest

from ragstone.stats.hash_sampling import DrawnScore, tuned_trust
from ragstone.stats.human_sample import HumanScore, human_mean


def test_human_mean_of_all_cases_is_exact() -> None:
    drawn = [DrawnScore(0.5, number % 2, 1.0) for number in range(40)]
    people = [HumanScore(one, float(number < 30), 1.0) for number, one in enumerate(drawn)]
    found = human_mean([0.5] * 40, drawn, people, trust=0.3, human_trust=0.7)
    assert (found.value, found.low, found.high) == (pytest.approx(0.75),) * 3
    assert (found.drawn, found.count) == (40, 40)


def test_human_mean_of_a_worked_example() -> None:
    """Cheap mean 0.5; the dearer judge says 0.1 less of the drawn ones, people 0.25 more than it."""
    drawn = [DrawnScore(0.5, 0.4, 0.5)] * 4
    people = [HumanScore(drawn[0], 1.0, 0.25), HumanScore(drawn[0], 0.3, 0.25)]
    found = human_mean([0.5] * 8, drawn, people, trust=1.0, human_trust=1.0)
    assert found.value == pytest.approx(0.5 - 0.1 + 0.25)
    assert (found.low, found.effective) == (None, 2)
    assert human_mean([0.5] * 8, drawn, people).value == pytest.approx(0.65)
    assert human_mean([0.5] * 8, drawn, []).value is None


def test_interval_covers_and_narrows_with_judge_human_agreement() -> None:
    chance = random.Random(7)
    held, widths = 0, {0.6: 0.0, 0.95: 0.0}
    for agreement in widths:
        trust = human_trust = 0.0
        for _ in range(80):
            cheap = [float(chance.random() < 0.8) for _ in range(1500)]
            dear = [f if chance.random() < 0.85 else 1 - f for f in cheap]
            human = [y if chance.random() < agreement else 1 - y for y in dear]
            drawn, people = [], []
            for f, y, h in zip(cheap, dear, human, strict=True):
                place, probability = chance.random(), 0.3 if f < 0.5 else 0.1
                if place < probability:
                    drawn.append(DrawnScore(f, y, probability))
                if place < 0.04:
                    people.append(HumanScore(drawn[-1], h, 0.04))
            found = human_mean(cheap, drawn, people, trust=trust, human_trust=human_trust)
            trust = tuned_trust(drawn)
            human_trust = tuned_trust([DrawnScore(one.drawn.dear, one.human, 0.04) for one in people])
            assert found.low is not None
            assert found.high is not None
            held += found.low <= sum(human) / 1500 <= found.high
            widths[agreement] += found.high - found.low
    assert 145 <= held <= 160
    assert widths[0.95] < 0.75 * widths[0.6]


def test_full_human_agreement_leaves_a_lower_bound_below_one() -> None:
    drawn = [DrawnScore(1.0, 1.0, 0.1)] * 60
    found = human_mean([1.0] * 600, drawn, [HumanScore(one, 1.0, 0.1) for one in drawn], human_trust=1.0)
    assert found.value == 1.0
    assert found.low is not None
    assert 0.92 < found.low < 0.95
