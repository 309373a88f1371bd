import numpy as np
import pytest
from training.measures import balance, balanced_accuracy, best_threshold, interval

LABELS = np.array([1, 1, 0, 0, 0, 0])
SCORES = np.array([0.9, 0.6, 0.7, 0.3, 0.2, 0.1])


def test_balance_gives_both_labels_equal_weight() -> None:
    weights = balance(LABELS)
    assert weights[LABELS == 1].sum() == pytest.approx(weights[LABELS == 0].sum())
    assert weights.sum() == pytest.approx(1)


def test_the_best_threshold_beats_all_others() -> None:
    cut = best_threshold(LABELS, SCORES)
    best = balanced_accuracy(LABELS, cut <= SCORES)
    assert best == pytest.approx((1 + 3 / 4) / 2)
    assert all(balanced_accuracy(LABELS, other <= SCORES) <= best for other in np.linspace(0, 1, 101))


def test_the_interval_resamples_whole_groups() -> None:
    values = np.array([0.0] * 50 + [1.0] * 50)
    rows = [f"row {i}" for i in range(100)]
    narrow = interval(rows, lambda picked: float(values[picked].mean()))
    wide = interval(["a"] * 50 + ["b"] * 50, lambda picked: float(values[picked].mean()))
    assert narrow[0] > 0.3
    assert narrow[1] < 0.7
    assert wide == (0.0, 1.0)
