"""PPI++ equals ppi_py, and says what a manager can read."""

import numpy as np
import pytest

from ragstone.stats.interval import mean_interval
from ragstone.stats.ppi import ppi_mean

RNG = np.random.default_rng(18)


def drawn(n: int, many: int, *, noise: float = 0.2) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    truth = RNG.beta(4, 2, n + many)
    judged = np.clip(truth + 0.1 + RNG.normal(0, noise, n + many), 0, 1)
    return truth[:n], judged[:n], judged[n:]


@pytest.mark.filterwarnings("ignore")  # the reference library warns of its own dependencies
@pytest.mark.parametrize("trust", [None, 0.0, 0.6, 1.0])
@pytest.mark.parametrize(("n", "many"), [(10, 40), (60, 1000), (200, 150)])
def test_equals_ppi_py(trust: float | None, n: int, many: int) -> None:
    reference = pytest.importorskip("ppi_py")
    labels, judged, unlabelled = drawn(n, many)
    found = ppi_mean(labels, judged, unlabelled, trust=trust, tuning="plug_in")
    value = reference.ppi_mean_pointestimate(labels, judged, unlabelled, lam=trust)
    low, high = reference.ppi_mean_ci(labels, judged, unlabelled, alpha=0.05, lam=trust)
    assert found.value == pytest.approx(float(np.squeeze(value)), abs=1e-9)
    error = float(np.squeeze(high - low)) / 2 / 1.959963984540054
    assert found.standard_error == pytest.approx(error, abs=1e-9)


def test_default_trust_is_fitted_leaving_each_case_out() -> None:
    labels, judged, unlabelled = drawn(12, 30)
    total = 0.0
    for i in range(12):
        keep = np.arange(12) != i
        trust = ppi_mean(labels[keep], judged[keep], unlabelled, tuning="plug_in").trust
        total += labels[i] + trust * (unlabelled.mean() - judged[i])
    assert ppi_mean(labels, judged, unlabelled).value == pytest.approx(total / 12, abs=1e-12)


def test_constant_judge_leaves_the_labels_interval() -> None:
    labels, unlabelled = RNG.random(50), RNG.random(500)
    found = ppi_mean(labels, np.full(50, 0.9), np.full(500, 0.9))
    assert found.trust == 0.0
    assert found.value == pytest.approx(labels.mean())
    alone = mean_interval(labels)
    assert (found.interval.low, found.interval.high) == pytest.approx((alone.low, alone.high), abs=0.003)
    assert ppi_mean(labels, RNG.random(50), unlabelled, trust=0.0).value == pytest.approx(labels.mean())


def test_precise_judge_halves_the_interval() -> None:
    labels, judged, unlabelled = drawn(60, 2000, noise=0.03)
    found = ppi_mean(labels, judged, unlabelled)
    assert found.interval.width < 0.5 * found.labels_alone.width
    assert found.labels_worth > 4.0
    assert found.judge > found.value
    assert found.sentence() == (
        f"judge says {found.judge:.2f}, corrected {found.value:.2f} ({found.interval})"
    )


def test_perfect_agreement_on_few_labels_leaves_a_wide_interval() -> None:
    labels = np.array([1.0] * 9 + [0.0])
    found = ppi_mean(labels, labels, RNG.integers(0, 2, 10_000).astype(float), trust=1.0)
    assert found.interval.width > 0.05
    all_yes = ppi_mean(np.ones(20), np.ones(20), np.ones(500))
    assert all_yes.value == 1.0
    assert all_yes.interval.low < 0.9


def test_zero_errors_on_ten_labels_leave_a_wide_interval() -> None:
    labels = np.array([1.0, 0.0] * 5)
    unlabelled = RNG.integers(0, 2, 10_000).astype(float)
    flawless = ppi_mean(labels, labels, unlabelled)
    assert flawless.value == pytest.approx(unlabelled.mean(), abs=0.01)
    # No narrower than a disagreement unseen, no wider than two seen.
    erring = labels.copy()
    erring[[0, 1]] = erring[[1, 0]]
    assert flawless.interval.width > 0.45
    assert flawless.interval.width <= ppi_mean(labels, erring, unlabelled).interval.width
    # Scores tell the size of the judge's errors by themselves: nothing is added.
    graded = ppi_mean(0.1 + 0.8 * labels, labels, unlabelled)
    assert graded.interval.width < 0.6 * flawless.interval.width


def test_ppi_mean_of_grades_outside_the_unit_interval() -> None:
    labels = RNG.normal(3.5, 0.5, 40)
    found = ppi_mean(labels, labels + 0.3, RNG.normal(3.8, 0.5, 400))
    assert found.value > 3.0
    assert found.value in found.interval


def test_ppi_mean_rejects_too_few_cases() -> None:
    with pytest.raises(ValueError, match="1 labelled and 2 unlabelled"):
        ppi_mean([1.0], [1.0], [0.5, 0.6])
    with pytest.raises(ValueError, match="2 labelled and 0 unlabelled"):
        ppi_mean([1.0, 0.0], [1.0, 0.0], [])
