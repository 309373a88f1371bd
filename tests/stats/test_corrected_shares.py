import numpy as np
import pytest

from ragstone.stats import correct_shares, draw_checks

TRUTH = {"passed": 0.62, "missed": 0.2, "invented": 0.12, "misread": 0.06}
NAMES = list(TRUTH)


def test_correct_shares_of_a_worked_example() -> None:
    """Of 6 missed by the judge 2 are checked, one is invented; of 4 passed both checked ones passed."""
    judged = ["missed"] * 6 + ["passed"] * 4
    found = correct_shares(judged, {0: "missed", 1: "invented", 6: "passed", 7: "passed"}, NAMES)
    values = {name: share.value for name, share in found.shares.items()}
    assert values == pytest.approx({"passed": 0.4, "missed": 0.3, "invented": 0.3, "misread": 0.0})
    assert (found.checked, found.agreed, found.unchecked) == (4, 3, ())
    assert found.confusion[("missed", "invented")] == 1


def test_interval_is_wilsons_when_all_cases_are_checked() -> None:
    judged = ["missed"] * 30 + ["passed"] * 70
    found = correct_shares(judged, dict(enumerate(judged)), NAMES)
    interval = found.shares["missed"].interval
    assert found.shares["missed"].value == pytest.approx(0.3)
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx((0.199, 0.425), abs=0.005)  # Wilson's at 98.75 %


def test_draw_checks_samples_every_judged_category() -> None:
    judged = ["passed"] * 180 + ["missed"] * 15 + ["invented"] * 4 + ["misread"]
    places = draw_checks(judged, 40, seed=1)
    drawn = [judged[place] for place in places]
    assert len(places) == len(set(places)) == 40
    assert drawn.count("misread") == 1
    assert drawn.count("invented") >= 2
    assert drawn.count("passed") < 30
    assert draw_checks(judged, 40, seed=1) == places
    assert len(draw_checks(judged, 500)) == 200


def one_study(
    rng: np.random.Generator, n: int = 300, checks: int = 60
) -> tuple[dict[str, float], dict[str, float], bool]:
    """Return the judge's shares, the corrected ones, and whether all intervals hold, for a judge that errs in 20 %."""
    truth = [str(name) for name in rng.choice(NAMES, n, p=list(TRUTH.values()))]
    judged = [
        name if rng.random() >= 0.2 else str(rng.choice([other for other in NAMES if other != name]))
        for name in truth
    ]
    places = draw_checks(judged, checks, seed=int(rng.integers(2**31)))
    found = correct_shares(judged, {place: truth[place] for place in places}, NAMES)
    holds = all(
        share.interval is not None and TRUTH[name] in share.interval for name, share in found.shares.items()
    )
    plain = {name: judged.count(name) / n for name in NAMES}
    return plain, {name: share.value or 0.0 for name, share in found.shares.items()}, holds


def test_corrected_shares_are_unbiased_and_intervals_cover_with_20_percent_errors() -> None:
    """400 runs of 300 cases, 60 checked. Standard error of a mean: .003 at most. 380 hold on average where 95 % do."""
    rng = np.random.default_rng(3)
    studies = [one_study(rng) for _ in range(400)]
    for name, share in TRUTH.items():
        corrected = float(np.mean([found[name] for _, found, _ in studies]))
        assert corrected == pytest.approx(share, abs=0.01)
    plain = float(np.mean([found["passed"] for found, _, _ in studies]))
    assert plain < TRUTH["passed"] - 0.08  # the judge's own share is far off
    assert sum(holds for _, _, holds in studies) >= 368


def test_correct_shares_rejects_invalid_checks() -> None:
    with pytest.raises(ValueError, match="checked is empty"):
        correct_shares(["passed"], {}, NAMES)
    with pytest.raises(ValueError, match="no case at place 3"):
        correct_shares(["passed"], {3: "passed"}, NAMES)
    with pytest.raises(ValueError, match="not in categories"):
        correct_shares(["passed"], {0: "rumour"}, NAMES)
