"""Decisions: their rates with intervals that stay honest where nothing went wrong."""

import numpy as np
import pytest

from ragstone.stats.confusion import accuracy_estimate, balanced_accuracy_estimate
from ragstone.stats.estimate import Estimate
from ragstone.stats.interval import rate_interval


def test_accuracy_estimate_equals_rate_interval() -> None:
    found = accuracy_estimate([1, 0, 1, 1], [1, 0, 0, 1])
    assert found == Estimate(0.75, rate_interval(3, 4))
    assert accuracy_estimate([], []) == Estimate(None, None)


def test_balanced_accuracy_interval_combines_two_wilson_intervals() -> None:
    labels, decisions = [1] * 20 + [0] * 50, [1] * 15 + [0] * 5 + [0] * 50
    found = balanced_accuracy_estimate(labels, decisions)
    yes, no = rate_interval(15, 20), rate_interval(50, 50)
    assert found.value == pytest.approx(0.875)
    assert found.interval is not None
    assert found.interval.low == pytest.approx(0.875 - np.hypot(0.75 - yes.low, 1 - no.low) / 2)
    assert found.interval.high == pytest.approx(0.875 + (yes.high - 0.75) / 2)
    assert found.interval.units == 20


def test_twenty_correct_of_twenty_leave_a_wide_interval() -> None:
    found = balanced_accuracy_estimate([1, 0] * 10, [1, 0] * 10)
    assert found.interval is not None
    assert found.interval.low < 0.9
    assert found.interval.high == 1.0
    assert balanced_accuracy_estimate([1, 1], [1, 0]) == Estimate(None, None)


def test_clusters_widen_accuracy_and_balanced_accuracy_intervals() -> None:
    labels = [i // 10 % 2 for i in range(200)]
    decisions = [label if i // 10 % 5 else 1 - label for i, label in enumerate(labels)]
    groups = [i // 10 for i in range(200)]
    for measure in (accuracy_estimate, balanced_accuracy_estimate):
        alone, grouped = measure(labels, decisions), measure(labels, decisions, clusters=groups)
        assert alone.interval is not None
        assert grouped.interval is not None
        assert grouped.interval.width > 2 * alone.interval.width
