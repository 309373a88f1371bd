"""Sign-flip test, McNemar's test and Holm's correction against scipy and statsmodels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.stats.significance import (
    benjamini_hochberg,
    fisher_p_value,
    holm,
    mcnemar_p_value,
    sign_flip_p_value,
)


def test_sign_flip_equals_scipys_exact_permutation_test() -> None:
    stats = pytest.importorskip("scipy.stats")
    change = np.round(np.random.default_rng(0).normal(0.1, 0.3, 12), 1)
    theirs = stats.permutation_test(
        (change, np.zeros(12)),
        lambda a, b: np.mean(a - b),
        permutation_type="samples",
        n_resamples=np.inf,
        vectorized=False,
    )
    assert sign_flip_p_value(change) == pytest.approx(theirs.pvalue, abs=1e-9)


def test_sign_flip_resampling_approaches_the_exact_p_value() -> None:
    change = np.round(np.random.default_rng(1).normal(0.12, 0.3, 13), 2)
    exact = sign_flip_p_value(change)
    padded = np.concatenate([change, [1e-6]])  # one more unit than is enumerated, too small to matter
    assert sign_flip_p_value(padded, resamples=40_000) == pytest.approx(exact, abs=0.01)


def test_unequal_pairs_of_one_cluster_are_flipped_together() -> None:
    change = [0.1] * 6
    assert sign_flip_p_value(change) == pytest.approx(2 / 2**6)
    assert sign_flip_p_value(change, ["a", "a", "a", "b", "b", "b"]) == pytest.approx(0.5)


def test_sign_flip_p_value_of_no_difference_is_one() -> None:
    assert sign_flip_p_value([]) == 1.0
    assert sign_flip_p_value([0.0] * 50) == 1.0


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=20))
def test_sign_and_scale_do_not_matter(change: list[int]) -> None:
    p = sign_flip_p_value([float(x) for x in change], resamples=500)
    assert 0.0 < p <= 1.0
    assert sign_flip_p_value([-x / 10 for x in change], resamples=500) == p


def test_sign_flip_runs_with_30000_cases() -> None:
    change = np.random.default_rng(2).normal(0, 1, 30_000)
    assert 0.0 < sign_flip_p_value(change, resamples=999) <= 1.0


def test_nan_is_refused() -> None:
    with pytest.raises(ValueError, match=r"differences\[0\] is nan"):
        sign_flip_p_value([float("nan")])


@pytest.mark.parametrize(("better", "worse"), [(0, 0), (0, 1), (3, 3), (2, 9), (40, 61), (500, 423)])
def test_mcnemar_equals_the_reference_libraries(better: int, worse: int) -> None:
    tables = pytest.importorskip("statsmodels.stats.contingency_tables")
    binom = pytest.importorskip("scipy.stats").binom
    if better + worse:
        theirs = tables.mcnemar([[10, worse], [better, 10]], exact=True).pvalue
        assert mcnemar_p_value(better, worse) == pytest.approx(theirs, abs=1e-9)
    exact = mcnemar_p_value(better, worse)
    point = float(binom.pmf(better, better + worse, 0.5))
    expected = 1.0 if better == worse else exact - point
    assert mcnemar_p_value(better, worse, "mid_p") == pytest.approx(expected, abs=1e-9)
    assert mcnemar_p_value(worse, better) == exact


def test_negative_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="better is -1"):
        mcnemar_p_value(-1, 2)


def test_holm_equals_statsmodels() -> None:
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    rng = np.random.default_rng(0)
    for size in (1, 2, 7, 30):
        p_values = np.round(rng.random(size) ** 3, 2)
        assert holm(p_values) == pytest.approx(multitest.multipletests(p_values, method="holm")[1], abs=1e-12)


def test_holm_of_empty_and_invalid_p_values() -> None:
    assert holm([]) == []
    with pytest.raises(ValueError, match=r"p_values\[1\] is 1.5"):
        holm([0.5, 1.5])


def test_sign_flip_by_counts_equals_sign_flip_by_units() -> None:
    rng = np.random.default_rng(3)
    coarse = rng.choice([-0.5, 0.0, 0.5], 2_000, p=[0.12, 0.75, 0.13])
    fine = coarse + np.where(
        coarse == 0.0, 0.0, rng.normal(0, 1e-7, coarse.size)
    )  # as good as the same, one by one
    assert sign_flip_p_value(coarse) == pytest.approx(sign_flip_p_value(fine), abs=0.02)
    stats = pytest.importorskip("scipy.stats")
    up, changed = int((coarse > 0).sum()), int((coarse != 0).sum())
    assert sign_flip_p_value(coarse) == pytest.approx(stats.binomtest(up, changed).pvalue, abs=0.02)


def test_fisher_p_value_of_known_tables() -> None:
    """Fisher's lady: 3 of 4 against 1 of 4 gives 34/70. And 1 of 10 against 11 of 14 as R's fisher.test says."""
    assert fisher_p_value(3, 4, 1, 4) == pytest.approx(34 / 70)
    assert fisher_p_value(1, 10, 11, 14) == pytest.approx(0.002759, abs=1e-6)
    assert fisher_p_value(0, 5, 0, 9) == 1.0
    assert fisher_p_value(400, 1000, 300, 1000) == pytest.approx(3.4e-6, rel=0.2)


@given(st.integers(0, 8), st.integers(0, 8), st.integers(0, 8), st.integers(0, 8))
def test_fisher_p_value_is_symmetric_in_groups(a: int, b: int, c: int, d: int) -> None:
    p_value = fisher_p_value(a, a + b, c, c + d)
    assert 0 < p_value <= 1
    assert p_value == pytest.approx(fisher_p_value(c, c + d, a, a + b))
    assert p_value == pytest.approx(fisher_p_value(b, a + b, d, c + d))


def test_fisher_rejects_more_failures_than_cases() -> None:
    with pytest.raises(ValueError, match="invalid counts"):
        fisher_p_value(3, 2, 1, 4)


def test_benjamini_hochberg_of_their_1995_example() -> None:
    """Their table of 1995: of fifteen p-values the first four are rejected at 5 %, by Bonferroni three."""
    p_values = [
        *(0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344),
        *(0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0),
    ]
    adjusted = benjamini_hochberg(p_values)
    assert sum(value <= 0.05 for value in adjusted) == 4
    assert adjusted == sorted(adjusted)
    assert benjamini_hochberg(p_values[::-1]) == adjusted[::-1]
    assert benjamini_hochberg([]) == []
    with pytest.raises(ValueError, match="lies in"):
        benjamini_hochberg([1.5])
