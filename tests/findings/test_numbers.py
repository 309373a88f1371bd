from tests.testing.for_each import for_each

from ragstone.findings.numbers import count, dollars, duration, percent, score


@for_each(
    "value, threshold, shown",
    [
        (0.8571, None, "0.86"),
        (1.0, None, "1.00"),
        (0.9999, None, "0.9999"),
        (0.0001, None, "0.0001"),
        (0.0, 0.5, "0.00"),
        (0.4999, 0.5, "0.4999"),
        (0.5, 0.5, "0.50"),
        (0.7 - 1e-17, 0.7, "0.70"),
        (0.9999999999, None, "1.00"),
    ],
)
def test_a_score_is_never_rounded_to_the_wrong_side(
    value: float, threshold: float | None, shown: str
) -> None:
    assert score(value, threshold) == shown


@for_each("share, shown", [(0.864, "86 %"), (0.0, "0 %"), (1.0, "100 %"), (0.999, ">99 %"), (0.001, "<1 %")])
def test_percent_is_0_or_100_only_if_exact(share: float, shown: str) -> None:
    assert percent(share) == shown


@for_each(
    "cost, shown", [(None, "price unknown"), (0.0, "$0.00"), (0.0012, "$0.0012"), (1234.5, "$1,234.50")]
)
def test_dollars(cost: float | None, shown: str) -> None:
    assert dollars(cost) == shown


@for_each("seconds, shown", [(0.44, "0.4 s"), (34.2, "34 s"), (725, "12 min 5 s"), (12000, "3 h 20 min")])
def test_duration(seconds: float, shown: str) -> None:
    assert duration(seconds) == shown


def test_counts_agree_with_their_noun() -> None:
    assert (count(1, "case"), count(1200, "case"), count(0, "query", "queries")) == (
        "1 case",
        "1,200 cases",
        "0 queries",
    )
