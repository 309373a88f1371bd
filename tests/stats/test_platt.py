"""Platt scaling equals scikit-learn's."""

import numpy as np
import pytest

from ragstone.stats.platt import fit_platt

RNG = np.random.default_rng(16)


def test_platt_equals_scikit_learn() -> None:
    linear = pytest.importorskip("sklearn.linear_model")
    scores = RNG.normal(0.5, 0.2, 200)
    labels = (RNG.random(200) < 1 / (1 + np.exp(-6 * (scores - 0.4)))).astype(float)
    yes, no = labels.sum(), 200 - labels.sum()
    soft = np.where(labels == 1, (yes + 1) / (yes + 2), 1 / (no + 2))
    # A soft target is a case of each class with that weight.
    theirs = linear.LogisticRegression(C=np.inf, tol=1e-14, max_iter=10_000, solver="newton-cholesky").fit(
        np.tile(scores, 2)[:, None], np.repeat([1, 0], 200), sample_weight=np.concatenate([soft, 1 - soft])
    )
    found = fit_platt(labels, scores)
    assert found.slope == pytest.approx(theirs.coef_[0, 0], abs=1e-9)
    assert found.intercept == pytest.approx(theirs.intercept_[0], abs=1e-9)
    assert found(scores) == pytest.approx(theirs.predict_proba(scores[:, None])[:, 1], abs=1e-9)


def test_mean_probability_is_the_smoothed_rate() -> None:
    scores = RNG.random(50)
    labels = (scores > 0.4).astype(float)  # separable: without Platt's targets the slope would be infinite
    found = fit_platt(labels, scores)
    yes, no = labels.sum(), 50 - labels.sum()
    assert found.slope > 0.0
    assert found(scores).mean() == pytest.approx((yes * (yes + 1) / (yes + 2) + no / (no + 2)) / 50)


def test_a_constant_score_gives_the_rate() -> None:
    assert fit_platt([1, 0, 0, 0], [3.0] * 4)([3.0])[0] == pytest.approx((2 / 3 + 3 * 0.2) / 4, abs=1e-6)
    with pytest.raises(ValueError, match="no labelled case"):
        fit_platt([], [])
