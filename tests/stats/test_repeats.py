"""Repeats tell the judge's variance from the cases'."""

import numpy as np
import pytest

from ragstone.stats.repeats import analyse_repeats

RNG = np.random.default_rng(19)


def test_components_equal_the_analysis_of_variance() -> None:
    stats = pytest.importorskip("scipy.stats")
    rows = RNG.normal(0.6, 0.2, (15, 1)) + RNG.normal(0, 0.1, (15, 4))
    found = analyse_repeats(rows.tolist())
    # F = (within + k between) / within
    f = stats.f_oneway(*rows).statistic
    assert found.within == pytest.approx(rows.var(axis=1, ddof=1).mean(), abs=1e-12)
    assert found.between is not None
    assert found.within is not None
    assert (found.within + 4 * found.between) / found.within == pytest.approx(f, abs=1e-9)


def test_both_variances_are_recovered_from_large_samples() -> None:
    rows = RNG.normal(0.5, 0.2, (3000, 1)) + RNG.normal(0, 0.1, (3000, 3))
    ragged = [[None if RNG.random() < 0.2 else float(x) for x in row] for row in rows]
    found = analyse_repeats(ragged)
    assert found.between == pytest.approx(0.04, rel=0.1)
    assert found.within == pytest.approx(0.01, rel=0.1)
    assert found.reliability == pytest.approx(0.8, abs=0.03)
    assert found.standard_error(3000, 3) == pytest.approx(np.sqrt((0.04 + 0.01 / 3) / 3000), rel=0.05)


def test_case_across_the_threshold_is_unstable_and_undecided() -> None:
    found = analyse_repeats([[0.9, 0.8, 0.9], [0.4, 0.6, 0.5], [0.1, 0.1, 0.2]], threshold=0.5)
    assert [case.verdict for case in found.cases] == ["pass", "undecided", "fail"]
    assert found.unstable == (1,)
    assert found.cases[1].low == 0.4
    assert found.cases[1].high == 0.6


def test_lower_is_better_passes_below_the_threshold() -> None:
    found = analyse_repeats([[0.1, 0.2]] * 20, threshold=0.5, higher_is_better=False)
    assert {case.verdict for case in found.cases} == {"pass"}
    assert found.passed
    assert not analyse_repeats([[0.1, 0.2]] * 20, threshold=0.5).passed


def test_passed_requires_the_whole_interval_above_threshold() -> None:
    scores = [[float(x)] for x in RNG.normal(0.72, 0.2, 20)]
    assert np.mean(scores) > 0.7
    assert not analyse_repeats(scores, threshold=0.7).passed
    assert analyse_repeats(scores, threshold=0.55).passed


def test_variance_components_are_none_without_repeats() -> None:
    found = analyse_repeats([[0.5], [0.9], [None]])
    assert (found.within, found.between, found.reliability, found.standard_error(10, 2)) == (None,) * 4
    assert [case.verdict for case in found.cases] == ["pass", "pass", "undecided"]
    assert found.cases[2].mean is None
    nothing = analyse_repeats([])
    assert (nothing.mean, nothing.passed, nothing.cases) == (None, False, ())


def test_one_repeated_case_gives_within_variance_only() -> None:
    found = analyse_repeats([[0.5, 0.7, 0.6]])
    assert found.within == pytest.approx(0.01)
    assert found.between is None
    with pytest.raises(ValueError, match="clusters has 2 entries for 1 cases"):
        analyse_repeats([[0.5]], clusters=["a", "b"])
    with pytest.raises(ValueError, match=r"scores\[0\]\[1\] is nan"):
        analyse_repeats([[0.5, float("nan")]])
