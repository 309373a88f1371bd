import numpy as np
import pytest

pytest.importorskip("lightgbm", reason="fitting needs the dependency group training")

from training.fit import fit, mean_of, with_directions
from training.tables import Table

rng = np.random.default_rng(3)
ROWS = 800
SETS = np.repeat([0, 1], ROWS // 2)
LABELS = rng.integers(0, 2, ROWS).astype(float)
FEATURES = np.column_stack([LABELS + rng.normal(0, 1, ROWS), -LABELS + rng.normal(0, 2, ROWS)])
FEATURES[:, 0] += 4 * SETS
SIGNS = np.array([1, -1])
TABLE = Table(
    "made", FEATURES, rng.normal(0, 1, (ROWS, 3)).astype(np.float32), LABELS.astype(np.int64),
    np.zeros(ROWS, np.int64), np.zeros(ROWS), np.array(["a"] * ROWS), np.array(["made."] * ROWS),
)  # fmt: skip


def test_fit_sets_slopes_against_their_sign_to_zero() -> None:
    model, _ = fit(FEATURES, 1 - LABELS, np.ones(ROWS), SIGNS, seeds=(1,))
    assert model.slopes.tolist() == [0, 0]


def test_per_set_constants_raise_the_within_set_slope() -> None:
    plain, none = fit(FEATURES, LABELS, np.ones(ROWS), SIGNS, seeds=(1,))
    within, own = fit(FEATURES, LABELS, np.ones(ROWS), SIGNS, sets=SETS, seeds=(1,))
    assert within.slopes[0] > 2 * plain.slopes[0]
    assert not none.any()
    assert own[SETS == 0].mean() > own[SETS == 1].mean()
    assert own.mean() == pytest.approx(0, abs=1e-9)


def test_the_mean_of_two_models_scores_the_mean_of_their_scores() -> None:
    weights = np.ones(ROWS)
    one, other = (
        with_directions(*fit(FEATURES, LABELS, weights, SIGNS, sets=sets, seeds=(seed,)), TABLE, weights)
        for sets, seed in ((None, 1), (SETS, 2))
    )
    mean = mean_of(one, other).scores(FEATURES, TABLE.gaps)
    wanted = (one.scores(FEATURES, TABLE.gaps) + other.scores(FEATURES, TABLE.gaps)) / 2
    assert mean == pytest.approx(wanted)


def test_packaged_scorer_equals_the_fitted_model() -> None:
    model, _ = fit(FEATURES, LABELS, np.ones(ROWS), SIGNS, seeds=(1, 2))
    shipped = model.scorer()
    assert [shipped.score(row) for row in FEATURES[:50]] == pytest.approx(
        model.scores(FEATURES[:50]).tolist()
    )
