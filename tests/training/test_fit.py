import numpy as np
import pytest

pytest.importorskip("lightgbm", reason="fitting needs the dependency group training")

from training.fit import fit

rng = np.random.default_rng(3)
ROWS = 800
LABELS = rng.integers(0, 2, ROWS).astype(float)
FEATURES = np.column_stack([LABELS + rng.normal(0, 1, ROWS), -LABELS + rng.normal(0, 2, ROWS)])
SIGNS = np.array([1, -1])


def test_fit_sets_slopes_against_their_sign_to_zero() -> None:
    assert fit(FEATURES, 1 - LABELS, np.ones(ROWS), SIGNS, seeds=(1,)).slopes.tolist() == [0, 0]


def test_packaged_scorer_equals_the_fitted_model() -> None:
    model = fit(FEATURES, LABELS, np.ones(ROWS), SIGNS, seeds=(1, 2))
    shipped = model.scorer()
    assert [shipped.score(row) for row in FEATURES[:50]] == pytest.approx(
        model.scores(FEATURES[:50]).tolist()
    )
