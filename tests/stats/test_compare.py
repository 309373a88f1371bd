"""Comparison of two runs: claims only what the cases show, in words anyone understands."""

import numpy as np
import pytest

from ragstone.stats.compare import Comparison, compare_runs
from ragstone.stats.multiple import correct_for_multiple

RNG = np.random.default_rng(8)
BASE = [float(x) for x in RNG.integers(2, 6, 120) / 5]
WORSE = [max(0.0, x - 0.4) if i % 6 == 0 else x for i, x in enumerate(BASE)]
WORSE[1] = BASE[1] + 0.2 if BASE[1] < 1 else BASE[1]


def test_sentence_of_worse_run_gives_interval_and_case_counts() -> None:
    found = compare_runs(BASE, WORSE, metric="faithfulness")
    assert found.verdict == "worse"
    assert found.regressed
    assert found.sentence() == (
        f"Faithfulness fell by 0.07 (95 %: {-found.interval.high:.2f} to {-found.interval.low:.2f}); "
        f"20 cases got worse, {found.better} better, {100 - found.better} the same."
    )


def test_lower_is_better_reverses_verdict_but_not_difference() -> None:
    found = compare_runs(BASE, WORSE, metric="hallucination", higher_is_better=False)
    assert found.verdict == "better"
    assert found.better == 20
    assert found.difference is not None
    assert found.difference < 0
    assert "Hallucination fell by 0.07" in found.sentence()
    assert "which is better; 20 cases got better" in found.sentence()
    assert compare_runs(WORSE, BASE, higher_is_better=False).regressed


def test_no_difference_sentence_gives_smallest_detectable_difference() -> None:
    rng = np.random.default_rng(1)
    noise = [float(x) for x in np.clip(np.array(BASE) + rng.choice([-0.2, 0.0, 0.2], 120), 0, 1)]
    found = compare_runs(BASE, noise, metric="contextual_recall")
    assert found.verdict == "no difference shown"
    assert found.sentence().startswith(
        f"Contextual recall: no difference this dataset could show (smallest: {found.detectable:.2f})"
    )


def test_equal_runs_have_a_detectable_difference_above_zero() -> None:
    found = compare_runs(BASE, BASE)
    assert (found.p_value, found.better, found.worse, found.same) == (1.0, 0, 0, 120)
    assert found.detectable is not None
    assert found.detectable == pytest.approx(7.849 / 120, abs=1e-4)  # eight cases must change entirely
    assert found.interval.width > 0.01


def test_unpaired_cases_are_left_out_and_counted() -> None:
    found = compare_runs([0.5, None, 0.7], [0.6, 0.9, None])
    assert (found.n, found.unpaired, found.before, found.after) == (1, 2, 0.5, 0.6)
    assert "1 case is too few to show any difference" in found.sentence()
    nothing = compare_runs([None], [0.5], metric="faithfulness")
    assert (nothing.n, nothing.difference, nothing.detectable, nothing.cases_needed(0.1)) == (
        0,
        None,
        None,
        None,
    )
    assert nothing.sentence() == "Faithfulness: no case was scored in both runs."


def test_pass_and_fail_changes_follow_mcnemar() -> None:
    old = [True] * 20 + [False] * 10
    new = [False] * 8 + [True] * 12 + [True] + [False] * 9
    found = compare_runs(
        [float(x) for x in old], [float(x) for x in new], passes_before=old, passes_after=new
    )
    assert found.passes is not None
    assert (found.passes.broke, found.passes.mended) == (8, 1)
    # Nine of thirty changed: the mid-p, exact 0.0390625 less half of the probability of the outcome on both sides.
    assert found.passes.p_value == found.p_value == pytest.approx(0.0390625 - 9 / 512)
    assert found.passes.verdict == "fell"
    assert found.unseen_in_mean is None
    assert found.passes.after - found.passes.before == pytest.approx(-7 / 30)
    assert -7 / 30 in found.passes.interval


def test_clusters_make_the_same_difference_insignificant() -> None:
    documents = [i // 12 for i in range(120)]
    shifted = [x - 0.1 if i // 12 in {0, 1, 2} else x for i, x in enumerate(BASE)]
    assert compare_runs(BASE, shifted).regressed
    assert not compare_runs(BASE, shifted, clusters=documents).regressed


def test_correct_for_multiple_raises_p_values() -> None:
    rng = np.random.default_rng(3)
    found = [compare_runs(rng.random(30).tolist(), rng.random(30).tolist(), metric=f"m{i}") for i in range(6)]
    nothing = compare_runs([None], [None])
    corrected = correct_for_multiple([*found, nothing])
    assert corrected[-1] == nothing
    assert all(after.adjusted_p >= before.p_value for before, after in zip(found, corrected, strict=False))
    assert min(c.adjusted_p for c in corrected) == pytest.approx(min(1.0, 6 * min(c.p_value for c in found)))


def test_cases_needed_and_detectable_difference_are_inverse() -> None:
    found = compare_runs(BASE, WORSE)
    few, many = found.cases_needed(0.1), found.cases_needed(0.05)
    assert few is not None
    assert many is not None
    assert 2 * few < many < 4 * few
    assert found.cases_needed(found.detectable or 0) == pytest.approx(120, abs=1)


def test_margin_allows_for_losses_that_were_not_seen() -> None:
    """Changes of 0.01 in 50 cases do not rule out that 3 % of the cases lose everything; 200 cases do."""
    for cases, claimed in ((50, False), (200, True)):
        found = compare_runs([0.5] * cases, [0.49, 0.51] * (cases // 2))
        assert found.single_interval.low > -0.03
        assert found.is_not_worse_by(0.03) is claimed
        assert found.is_not_worse_by(0.1)


def test_unbounded_values_can_be_compared() -> None:
    found = compare_runs(
        [100.0, 120.0, 90.0] * 10, [200.0, 230.0, 180.0] * 10, metric="latency", higher_is_better=False
    )
    assert found.interval.method == "t"
    assert found.regressed


def test_passes_for_one_run_only_are_rejected() -> None:
    with pytest.raises(ValueError, match="give both or neither"):
        compare_runs([0.5], [0.5], passes_before=[True])
    with pytest.raises(ValueError, match=r"passes_after\[0\] is None"):
        compare_runs([0.5], [0.5], passes_before=[True], passes_after=[None])


def test_swapping_the_runs_turns_the_sign_only() -> None:
    one, other = compare_runs(BASE, WORSE), compare_runs(WORSE, BASE)
    assert isinstance(one, Comparison)
    assert one.p_value == other.p_value
    assert (one.interval.low, one.interval.high) == pytest.approx((-other.interval.high, -other.interval.low))
    assert (one.better, one.worse) == (other.worse, other.better)
