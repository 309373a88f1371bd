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


def test_a_feature_never_speaks_against_its_sign() -> None:
    model, _ = fit(FEATURES, 1 - LABELS, np.ones(ROWS), SIGNS, seeds=(1,))
    assert model.slopes.tolist() == [0, 0]


def test_constants_of_the_sets_leave_the_slope_to_what_tells_within_a_set() -> None:
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


def test_the_package_scores_as_training_does() -> None:
    model, _ = fit(FEATURES, LABELS, np.ones(ROWS), SIGNS, seeds=(1, 2))
    shipped = model.scorer()
    assert [shipped.score(row) for row in FEATURES[:50]] == pytest.approx(
        model.scores(FEATURES[:50]).tolist()
    )
