"""AUROC and average precision equal scikit-learn, and owe nothing to the order of equal scores."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.stats.ranking import auroc, auroc_interval, average_precision

RNG = np.random.default_rng(7)
cases = st.lists(st.tuples(st.booleans(), st.integers(0, 4)), min_size=2, max_size=30)


@pytest.mark.parametrize("levels", [2, 7, 100_000])
def test_auroc_equals_scikit_learn_with_ties(levels: int) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    labels, scores = RNG.integers(0, 2, 300), RNG.integers(0, levels, 300)
    assert auroc(labels, scores) == pytest.approx(metrics.roc_auc_score(labels, scores), abs=1e-9)


def test_average_precision_equals_scikit_learn_without_ties() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    labels, scores = RNG.integers(0, 2, 300), RNG.permutation(300)
    theirs = metrics.average_precision_score(labels, scores)
    assert average_precision(labels, scores) == pytest.approx(theirs, abs=1e-9)


def test_average_precision_is_the_mean_over_random_orders_of_ties() -> None:
    labels, scores = RNG.integers(0, 2, 40), RNG.integers(0, 4, 40).astype(float)
    broken = [average_precision(labels, scores + RNG.random(40) * 0.5) for _ in range(5_000)]
    error = np.std(broken) / math.sqrt(len(broken))
    assert average_precision(labels, scores) == pytest.approx(np.mean(broken), abs=4 * float(error))


def test_constant_scores_rank_at_chance_level() -> None:
    assert auroc([1, 0, 0, 0], [0.5] * 4) == 0.5
    # Of all orders of one positive among four: (1 + 1/2 + 1/3 + 1/4) / 4.
    assert average_precision([1, 0, 0, 0], [0.5] * 4) == pytest.approx((1 + 1 / 2 + 1 / 3 + 1 / 4) / 4)


def test_auroc_of_one_class_is_nan() -> None:
    assert math.isnan(auroc([1, 1], [0.1, 0.2]))
    assert math.isnan(average_precision([0, 0], [0.1, 0.2]))
    assert average_precision([1, 1], [0.1, 0.2]) == 1.0
    with pytest.raises(ValueError, match=r"labels\[0\] is 2, neither 0 nor 1"):
        auroc([2, 0], [0.1, 0.2])


def test_auroc_interval_depends_on_class_sizes() -> None:
    perfect = auroc_interval(1.0, 10, 10)
    assert perfect.high == 1.0
    assert 0.7 < perfect.low < 0.9
    middle = auroc_interval(0.7, 40, 60)
    turned = auroc_interval(0.3, 60, 40)
    assert (middle.low, middle.high) == pytest.approx((1 - turned.high, 1 - turned.low), abs=1e-9)
    # Hanley and McNeil's simple standard error at 0.7 is about 0.054: the width is near 2 x 1.96 x 0.054.
    assert middle.width == pytest.approx(0.21, abs=0.02)
    assert auroc_interval(0.7, 400, 600).width < middle.width / 2.5


@given(cases)
def test_negated_scores_give_one_minus_auroc(values: list[tuple[bool, int]]) -> None:
    labels, scores = [a for a, _ in values], [float(b) for _, b in values]
    found = auroc(labels, scores)
    if not math.isnan(found):
        assert 0.0 <= found <= 1.0
        assert auroc(labels, [-s for s in scores]) == pytest.approx(1.0 - found)
        assert auroc(labels, [s**3 for s in scores]) == found


@given(cases, st.randoms())
def test_order_of_cases_does_not_matter(values, random) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
    shuffled = random.sample(values, len(values))
    one = average_precision([a for a, _ in values], [float(b) for _, b in values])
    other = average_precision([a for a, _ in shuffled], [float(b) for _, b in shuffled])
    assert one == pytest.approx(other, abs=1e-12, nan_ok=True)
