"""Isotonic calibration equals scikit-learn's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.stats.isotonic import fit_isotonic

RNG = np.random.default_rng(17)


@pytest.mark.parametrize("levels", [5, 40, 10_000])
def test_isotonic_equals_scikit_learn(levels: int) -> None:
    isotonic = pytest.importorskip("sklearn.isotonic")
    scores = RNG.integers(0, levels, 300) / levels
    labels = (RNG.random(300) < scores).astype(float)
    theirs = isotonic.IsotonicRegression(out_of_bounds="clip").fit(scores, labels)
    grid = np.linspace(-0.2, 1.2, 57)
    assert fit_isotonic(labels, scores)(grid) == pytest.approx(theirs.predict(grid), abs=1e-9)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 9)), min_size=1, max_size=40))
def test_isotonic_is_monotonic_and_keeps_the_mean(cases: list[tuple[bool, int]]) -> None:
    labels, scores = [a for a, _ in cases], [float(b) for _, b in cases]
    found = fit_isotonic(labels, scores)
    assert list(found.probabilities) == sorted(found.probabilities)
    assert 0.0 <= found.probabilities[0] <= found.probabilities[-1] <= 1.0
    assert found(scores).mean() == pytest.approx(np.mean(labels))


def test_fit_isotonic_rejects_empty_labels() -> None:
    with pytest.raises(ValueError, match="no labelled case"):
        fit_isotonic([], [])
