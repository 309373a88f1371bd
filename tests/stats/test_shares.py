import numpy as np
import pytest

from ragstone.stats import label_shares, rate_interval, simultaneous_shares
from ragstone.stats.shares import shares_of_counts


def test_goodmans_intervals_are_wilsons_at_a_stricter_level() -> None:
    found = simultaneous_shares(["a"] * 6 + ["b"] * 4, ["a", "b", "c"])
    assert found["a"].value == 0.6
    wilson = rate_interval(6, 10, level=1 - 0.05 / 3)
    assert found["a"].interval is not None
    assert (found["a"].interval.low, found["a"].interval.high) == pytest.approx((wilson.low, wilson.high))
    assert found["c"].value == 0
    assert found["c"].interval is not None
    assert found["c"].interval.high > 0.2


def test_simultaneous_intervals_cover_in_95_percent_of_samples() -> None:
    """600 samples of 80 cases; of 600 fair ones 570 hold on average, fewer than 552 in 1 of 2,000 trials."""
    rng, truth = np.random.default_rng(1), {"a": 0.5, "b": 0.3, "c": 0.15, "d": 0.05}
    held = 0
    for _ in range(600):
        labels = [str(label) for label in rng.choice(list(truth), 80, p=list(truth.values()))]
        found = simultaneous_shares(labels, list(truth))
        held += all(
            share.interval is not None and truth[name] in share.interval for name, share in found.items()
        )
    assert held >= 552


def test_simultaneous_intervals_cover_for_clusters() -> None:
    """400 samples of 24 groups of 6 cases that mostly share their label."""
    rng, truth = np.random.default_rng(2), {"a": 0.6, "b": 0.4}
    held = 0
    for _ in range(400):
        labels: list[str] = []
        for main in rng.choice(list(truth), 24, p=list(truth.values())):
            labels += [
                str(main) if rng.random() < 0.7 else str(rng.choice(list(truth), p=list(truth.values())))
                for _ in range(6)
            ]
        found = simultaneous_shares(labels, list(truth), clusters=[place // 6 for place in range(144)])
        held += all(
            share.interval is not None and truth[name] in share.interval for name, share in found.items()
        )
    assert held >= 364


def test_simultaneous_shares_reject_invalid_labels() -> None:
    with pytest.raises(ValueError, match="not in categories"):
        simultaneous_shares(["x"], ["a"])
    with pytest.raises(ValueError, match="no case"):
        simultaneous_shares([], ["a"])
    with pytest.raises(ValueError, match="one entry per case"):
        simultaneous_shares(["a"], ["a"], clusters=[1, 2])


def test_shares_of_independent_cases_have_wilson_intervals_at_the_level_of_each() -> None:
    found = label_shares(["a"] * 6 + ["b"] * 4, ["a", "b", "c"])
    wilson = rate_interval(6, 10, level=1 - 0.05 / 3)
    assert [(share.label, share.count, share.low, share.high) for share in found.labels] == [
        ("a", 6, 0.6, 0.6),
        ("b", 4, 0.4, 0.4),
        ("c", 0, 0.0, 0.0),
    ]
    assert found.labels[0].interval == wilson
    assert found.labels[2].interval.high > 0.2, "a label that no case has is not impossible"


def test_one_of_two_shares_fixes_the_other_so_both_have_the_full_level() -> None:
    first, second = label_shares(["a"] * 6 + ["b"] * 4, ["a", "b"]).labels
    assert first.interval == rate_interval(6, 10)
    assert second.interval.high == pytest.approx(1 - first.interval.low)


def test_undecided_cases_may_have_any_label() -> None:
    share = label_shares(["a"] * 60 + ["b"] * 20 + [None] * 20, ["a", "b"]).labels[0]
    assert (share.count, share.low, share.high) == (60, 0.6, 0.8)
    assert (share.interval.low, share.interval.high) == (
        rate_interval(60, 100).low,
        rate_interval(80, 100).high,
    )


def test_groups_whose_cases_agree_widen_the_intervals_and_groups_of_one_do_not() -> None:
    labels = ["a"] * 30 + ["b"] * 30 + [None] * 3
    alone = label_shares(labels, ["a", "b", "c"], clusters=range(63))
    assert [share.interval.low for share in alone.labels] == pytest.approx(
        [share.interval.low for share in label_shares(labels, ["a", "b", "c"]).labels], abs=1e-3
    )
    grouped = label_shares(labels, ["a", "b", "c"], clusters=[place // 3 for place in range(63)])
    assert grouped.groups == 21
    assert grouped.labels[0].interval.width > 1.5 * alone.labels[0].interval.width


def test_shares_reject_labels_that_are_no_category() -> None:
    with pytest.raises(ValueError, match="not in categories"):
        label_shares(["x"], ["a"])
    with pytest.raises(ValueError, match="categories is empty"):
        label_shares([], [])
    assert shares_of_counts({}, 0, ["a"]).labels[0].low is None
