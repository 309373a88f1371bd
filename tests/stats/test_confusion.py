"""Rates from the four counts equal scikit-learn."""

import math

import numpy as np
import pytest

from ragstone.stats.confusion import confusion
from ragstone.stats.kappa import cohen_kappa

RNG = np.random.default_rng(9)


def test_confusion_equals_scikit_learn() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    truth, said = RNG.random(200) < 0.3, RNG.random(200) < 0.4
    found = confusion(truth, said)
    assert [[found.true_negative, found.false_positive], [found.false_negative, found.true_positive]] == (
        metrics.confusion_matrix(truth, said).tolist()
    )
    assert found.accuracy == pytest.approx(metrics.accuracy_score(truth, said), abs=1e-12)
    assert found.balanced_accuracy == pytest.approx(metrics.balanced_accuracy_score(truth, said), abs=1e-12)
    assert found.precision == pytest.approx(metrics.precision_score(truth, said), abs=1e-12)
    assert found.sensitivity == pytest.approx(metrics.recall_score(truth, said), abs=1e-12)
    assert found.f1 == pytest.approx(metrics.f1_score(truth, said), abs=1e-12)
    assert found.kappa == pytest.approx(cohen_kappa(truth.tolist(), said.tolist()), abs=1e-12)


def test_rates_of_an_empty_class_are_nan() -> None:
    found = confusion([1, 1], [1, 0])
    assert found.accuracy == 0.5
    assert math.isnan(found.specificity)
    assert math.isnan(found.balanced_accuracy)
    assert math.isnan(confusion([1, 1], [1, 1]).kappa)
    assert math.isnan(confusion([], []).accuracy)


def test_confusion_rejects_decisions_other_than_0_and_1() -> None:
    with pytest.raises(ValueError, match=r"decisions\[1\] is 0.7, neither 0 nor 1; apply a threshold first"):
        confusion([1, 0], [1, 0.7])
