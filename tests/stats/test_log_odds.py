from math import log, sqrt

import pytest

from ragstone.stats import word_odds


def test_word_odds_of_a_worked_example() -> None:
    """Two words, prior of 10 words dealt 3 to 1: the formula of Monroe, Colaresi and Quinn by hand."""
    found = word_odds([8, 2], [1, 9], [30, 10], prior=10)
    one, other = (8 + 7.5) / (2 + 2.5), (1 + 7.5) / (9 + 2.5)
    spread = sqrt(1 / 15.5 + 1 / 8.5)
    assert found[0] == pytest.approx((log(one) - log(other)) / spread)
    assert found[1] == pytest.approx((log(1 / one) - log(1 / other)) / sqrt(1 / 4.5 + 1 / 11.5))


def test_frequent_word_has_higher_odds_than_rare_word() -> None:
    """The first in 12 of the group's texts and none outside, the second in one: both belong to it, the first surely."""
    often, once, elsewhere = word_odds([12, 1, 0], [0, 0, 40], [12, 1, 40])
    assert often > 1.96 > once > 0 > elsewhere


def test_word_odds_of_equal_groups_are_zero() -> None:
    assert word_odds([3, 4], [3, 4], [6, 8]) == pytest.approx([0, 0])


def test_word_odds_rejects_inconsistent_counts() -> None:
    with pytest.raises(ValueError, match="below 0, or a word occurs nowhere"):
        word_odds([1, 0], [1, 0], [2, 0])
    with pytest.raises(ValueError, match="one entry per case"):
        word_odds([1], [1, 2], [2, 3])
