"""The human ceiling: one annotator against the others."""

import numpy as np
import pytest

from ragstone.stats.ceiling import human_ceiling, label_kappa
from ragstone.stats.correlation import pearson


def test_human_ceiling_is_none_without_two_annotators() -> None:
    assert human_ceiling([[1.0], [None, 0.0], []], [0.1, 0.2, 0.3], pearson) is None


def test_human_ceiling_of_two_annotators_compares_each_with_the_other() -> None:
    ratings = [[1.0, 2.0], [2.0, 1.0], [3.0, 4.0], [4.0, None], [5.0, 4.5]]
    found = human_ceiling(ratings, [1.0, 2.0, 3.0, 9.0, 4.0], pearson, resamples=50)
    assert found is not None
    first, second, judged = [1.0, 2.0, 3.0, 5.0], [2.0, 1.0, 4.0, 4.5], [1.0, 2.0, 3.0, 4.0]
    assert found.n == 4
    assert found.human.value == pytest.approx(pearson(first, second))
    assert found.judge.value == pytest.approx((pearson(first, judged) + pearson(second, judged)) / 2)


def test_majorities_that_tie_are_left_out() -> None:
    others, said = np.array([1.0, 0.5, 0.0, 1.0]), np.array([1.0, 1.0, 0.0, 1.0])
    assert label_kappa(others, said) == 1.0
