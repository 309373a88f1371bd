import warnings
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2
from statsmodels.stats.contingency_tables import SquareTable
from tests.testing.for_each import for_each

from ragstone.stats import compare_labels, mcnemar_p_value
from ragstone.stats.label_change import correct_labels
from ragstone.stats.marginal_homogeneity import stuart_maxwell


def of_table(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The labels before and after of the cases that a table counts."""
    cells = [
        (row, column)
        for row, column in product(range(len(table)), repeat=2)
        for _ in range(table[row, column])
    ]
    before, after = zip(*cells, strict=True)
    return np.array(before), np.array(after)


@for_each("seed", range(40))
def test_statistic_and_chi_square_equal_statsmodels_on_random_tables(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size = int(rng.integers(2, 6))
    table = rng.integers(0, 20, (size, size)) + np.eye(size, dtype=int)
    table[0, 1] += 1  # statsmodels divides by zero where nothing changed
    found = stuart_maxwell(*of_table(table), size, resamples=99)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        peer: Any = SquareTable(table, shift_zeros=False).homogeneity(method="stuart_maxwell")
    assert found.df == peer.df
    assert found.statistic == pytest.approx(peer.statistic, rel=1e-9, abs=1e-9)


def test_counted_permutations_equal_all_swaps_of_a_small_table() -> None:
    before, after = np.array([0, 0, 0, 1, 2, 1, 0, 2]), np.array([1, 2, 1, 2, 2, 1, 0, 0])
    observed = stuart_maxwell(before, after, 3)
    swaps = [
        stuart_maxwell(
            np.where(swapped, after, before), np.where(swapped, before, after), 3, resamples=1
        ).statistic
        for swapped in map(np.array, product([False, True], repeat=len(before)))
    ]
    reached = np.mean(np.array(swaps) >= observed.statistic - 1e-9)
    assert observed.p_value == pytest.approx(reached)


def test_two_categories_give_mcnemar() -> None:
    before = ["a"] * 30 + ["b"] * 30
    after = ["a"] * 21 + ["b"] * 9 + ["b"] * 28 + ["a"] * 2
    found = compare_labels(before, after, ["a", "b"])
    assert found.p_value == pytest.approx(mcnemar_p_value(9, 2, "mid_p"))
    assert found.moved == 11
    assert found.moves == [("a", "b", 9), ("b", "a", 2)]


def test_many_permutations_are_drawn_and_near_chi_square() -> None:
    rng = np.random.default_rng(3)
    before, after = rng.integers(0, 5, 400), rng.integers(0, 5, 400)
    found = stuart_maxwell(before, after, 5)
    assert found.p_value == pytest.approx(chi2.sf(found.statistic, found.df), abs=0.02)


def test_change_names_the_labels_that_changed_and_their_intervals_exclude_zero() -> None:
    before = ["answered"] * 50 + ["partly"] * 5 + ["refused"] * 5
    after = ["answered"] * 35 + ["refused"] * 15 + ["partly"] * 5 + ["refused"] * 5
    found = compare_labels(before, after, ["answered", "partly", "refused"])
    assert found.verdict == "changed"
    assert [share.verdict for share in found.shares] == ["fell", "no change shown", "rose"]
    assert found.shares[0].interval.high < 0 < found.shares[2].interval.low
    together = correct_labels([found, compare_labels(before, before, ["answered", "partly", "refused"])])
    assert together[0].tested == 2
    assert together[0].shares[2].interval.width > found.shares[2].interval.width
    assert (together[1].verdict, together[1].moved) == ("no change shown", 0)


def test_change_that_undecided_labels_may_undo_is_not_claimed() -> None:
    before = ["a"] * 60
    after = ["a"] * 45 + ["b"] * 8 + [None] * 7
    found = compare_labels(before, after, ["a", "b", "c"])
    assert found.undecided == 7
    assert found.verdict == "changed", "b or c came, whatever the undecided are"
    open_change = compare_labels(before, ["a"] * 52 + [None] * 8, ["a", "b", "c"])
    assert open_change.verdict == "depends on the undecided"
    assert open_change.shares[0].interval.low < 0 <= open_change.shares[0].interval.high


def test_cases_of_one_group_are_swapped_together() -> None:
    before, after = ["a"] * 40, (["b"] * 10 + ["a"] * 10) * 2
    apart = compare_labels(before, after, ["a", "b"])
    together = compare_labels(before, after, ["a", "b"], clusters=[place // 10 for place in range(40)])
    assert apart.verdict == "changed"
    assert (together.verdict, together.can_show) == ("no change shown", False)
