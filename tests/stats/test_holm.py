"""Holm's correction equals statsmodels."""

import numpy as np
import pytest

from ragstone.stats.holm import holm


def test_equals_statsmodels() -> None:
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    rng = np.random.default_rng(0)
    for size in (1, 2, 7, 30):
        p_values = np.round(rng.random(size) ** 3, 2)
        assert holm(p_values) == pytest.approx(multitest.multipletests(p_values, method="holm")[1], abs=1e-12)


def test_nothing_and_nonsense() -> None:
    assert holm([]) == []
    with pytest.raises(ValueError, match=r"p_values\[1\] is 1.5"):
        holm([0.5, 1.5])
