import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.judges.limits import TokenBucket


@given(
    per_minute=st.floats(0.5, 1e5),
    pauses=st.lists(st.floats(0, 20), min_size=5, max_size=200),
)
def test_no_window_of_a_minute_sees_more_than_is_allowed(per_minute: float, pauses: list[float]) -> None:
    bucket, now, spent = TokenBucket(per_minute), 0.0, list[float]()
    for pause in pauses:
        now += pause + bucket.wait(1, now + pause)
        bucket.spend(1, now)
        spent.append(now)
    for start in spent:
        inside = sum(start <= time < start + 60 for time in spent)
        assert inside <= max(1, per_minute) + 1e-6


def test_a_steady_asker_gets_what_is_allowed() -> None:
    bucket, now, count = TokenBucket(600), 0.0, 0
    while now < 600:
        now += bucket.wait(1, now)
        bucket.spend(1, now)
        count += 1
    assert count == pytest.approx(6000, rel=0.03)


def test_overdrawn_amount_is_waited_for() -> None:
    bucket = TokenBucket(6000)
    bucket.spend(1000, 0.0)
    assert bucket.wait(1, 0.0) == pytest.approx((1000 - 120 + 1) / 98, rel=0.01)
    bucket.spend(-1000, 0.0)
    assert bucket.wait(1, 0.0) == 0
    assert bucket.wait(10**9, 0.0) == 0  # what never fits in waits for a full bucket, not for ever
