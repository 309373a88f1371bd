"""Kappas and alpha equal scikit-learn, statsmodels and krippendorff."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.stats.kappa import Scale, Weights, cohen_kappa, fleiss_kappa, krippendorff_alpha

RNG = np.random.default_rng(6)


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
def test_cohen_equals_scikit_learn(weights: Weights | None) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    first = RNG.integers(1, 6, 200)
    second = np.clip(first + RNG.integers(-1, 2, 200), 1, 5)
    theirs = metrics.cohen_kappa_score(first, second, weights=weights)
    assert cohen_kappa(first.tolist(), second.tolist(), weights=weights) == pytest.approx(theirs, abs=1e-9)


def test_fleiss_equals_statsmodels() -> None:
    raters = pytest.importorskip("statsmodels.stats.inter_rater")
    ratings = RNG.integers(0, 4, (60, 5))
    ratings[:, 1] = ratings[:, 0]
    theirs = raters.fleiss_kappa(raters.aggregate_raters(ratings)[0])
    assert fleiss_kappa(ratings.tolist()) == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("scale", ["nominal", "ordinal", "interval"])
@pytest.mark.parametrize("missing", [0.0, 0.3, 0.7])
def test_krippendorff_equals_the_reference(scale: Scale, missing: float) -> None:
    krippendorff = pytest.importorskip("krippendorff")
    truth = RNG.integers(1, 6, (80, 1))
    ratings = np.clip(truth + RNG.integers(-1, 2, (80, 4)), 1, 5).astype(float)
    ratings[RNG.random(ratings.shape) < missing] = np.nan
    theirs = krippendorff.alpha(reliability_data=ratings.T, level_of_measurement=scale)
    rows = [[None if math.isnan(v) else v for v in row] for row in ratings.tolist()]
    assert krippendorff_alpha(rows, scale) == pytest.approx(theirs, abs=1e-9)


def test_words_are_categories_too() -> None:
    assert cohen_kappa(["yes", "no", "yes"], ["yes", "no", "yes"]) == 1.0
    assert cohen_kappa(["yes", "no"], ["no", "yes"]) == -1.0


def test_kappas_are_nan_for_one_category_or_no_ratings() -> None:
    assert math.isnan(cohen_kappa([1, 1], [1, 1]))
    assert math.isnan(fleiss_kappa([[1, 1], [1, 1]]))
    assert math.isnan(krippendorff_alpha([[1, 1], [1, 1]]))
    assert math.isnan(cohen_kappa([], []))
    assert math.isnan(fleiss_kappa([]))
    assert math.isnan(krippendorff_alpha([[1, None], [None, 2]]))


def test_fleiss_rejects_unequal_or_single_ratings() -> None:
    with pytest.raises(ValueError, match=r"ratings\[1\] has 1 ratings"):
        fleiss_kappa([[1, 0], [1]])
    with pytest.raises(ValueError, match="at least 2"):
        fleiss_kappa([[1], [0]])


@given(st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=2, max_size=20), st.randoms())
def test_order_of_cases_and_raters_does_not_matter(ratings: list[list[int]], random) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
    shuffled = [random.sample(row, 3) for row in random.sample(ratings, len(ratings))]
    for measure in (fleiss_kappa, krippendorff_alpha):
        assert measure(shuffled) == pytest.approx(measure(ratings), abs=1e-9, nan_ok=True)
        assert not measure(ratings) > 1.0
