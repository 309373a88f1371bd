"""A summary counts failures beside the mean, never in it."""

import math

import pytest

from ragstone.stats.interval import mean_interval, rate_interval
from ragstone.stats.summary import summarise


def test_failures_and_skips_are_counted_beside_the_mean() -> None:
    found = summarise([1.0, None, 0.5, 0.0], [True, None, True, False], failed=2, skipped=5)
    assert (found.n, found.failed, found.skipped) == (3, 3, 5)
    assert found.mean == pytest.approx(0.5)
    assert found.pass_rate == pytest.approx(2 / 3)
    assert found.interval == mean_interval([1.0, 0.5, 0.0])
    assert (found.pass_interval.low, found.pass_interval.high) == pytest.approx(
        (rate_interval(2, 3).low, rate_interval(2, 3).high)
    )
    assert found.too_few


def test_summary_without_scores_has_no_mean() -> None:
    found = summarise([None, None], [None, None])
    assert (found.n, found.failed, found.mean, found.pass_rate) == (0, 2, None, None)
    assert str(found) == "nothing measured (n = 0, 2 failed, 0 skipped)"
    assert summarise([], []).interval.width == 1.0


def test_clusters_follow_the_measured_cases() -> None:
    found = summarise([0.1, None, 0.9, 0.8], [False, None, True, True], clusters=["a", "a", "b", "b"])
    assert found.clusters == 2
    assert found.interval == mean_interval([0.1, 0.9, 0.8], ["a", "b", "b"])


def test_reads_in_one_line() -> None:
    to = "\N{EN DASH}"
    scores = [1.0] * 9 + [0.5] * 3
    found = summarise(scores, [score > 0.7 for score in scores], skipped=1)
    assert str(found) == f"0.88 (0.68{to}0.96), 75 % passed (47{to}91 %), n = 12, 0 failed, 1 skipped"
    assert "too few to trust" in str(summarise([1.0, 0.5], [True, True]))


def test_summarise_rejects_inconsistent_scores_and_passes() -> None:
    with pytest.raises(ValueError, match=r"passes\[0\] is None although scores\[0\] is a number"):
        summarise([0.5], [None])
    with pytest.raises(ValueError, match="scores has 2, passes has 1"):
        summarise([0.5, 0.6], [True])
    with pytest.raises(ValueError, match="not a finite number"):
        summarise([math.nan], [True])
