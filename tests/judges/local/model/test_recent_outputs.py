"""Outputs of pairs that were read: the last ones are kept."""

from ragstone.judges.local.model.recent_outputs import RecentOutputs


def test_least_recently_used_output_is_dropped_first() -> None:
    recent: RecentOutputs[str, int] = RecentOutputs(2)
    recent.keep({"a": 1, "b": 2})
    assert recent.of(["a"]) == {"a": 1}
    recent.keep({"c": 3})
    assert recent.of(["a", "b", "c"]) == {"a": 1, "c": 3}


def test_keeping_more_than_the_limit_leaves_the_last() -> None:
    recent: RecentOutputs[int, int] = RecentOutputs(2)
    recent.keep({n: n for n in range(5)})
    assert recent.of(range(5)) == {3: 3, 4: 4}


def test_limit_of_zero_keeps_nothing() -> None:
    recent: RecentOutputs[int, int] = RecentOutputs(0)
    recent.keep({1: 1})
    assert recent.of([1]) == {}
