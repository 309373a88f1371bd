"""A comparison by arrays says what one says that looks at one result at a time."""

import pytest
from tests.findings.comparison.one_by_one import compared_one_by_one, figures, random_reports
from tests.testing.for_each import for_each

from ragstone.findings.comparison import compare


@for_each("seed", range(40))
def test_compare_matches_the_result_by_result_reference(seed: int) -> None:
    before, after = random_reports(seed)
    found = compare(before, after)
    assert figures(found)[-1] == compared_one_by_one(before, after, found)


def test_random_reports_cover_flips_lost_and_unmatched_cases() -> None:
    found = [compare(*random_reports(seed)) for seed in range(40)]
    flips = [metric for one in found for metric in one.metrics if metric.broke and metric.flips.mended]
    assert len(flips) > 20
    assert any(one.by_question for one in found)
    assert any(one.only_before and one.only_after for one in found)
    assert any(metric.lost for one in found for metric in one.metrics)
    assert any(
        metric.comparison.interval.units < metric.comparison.n for one in found for metric in one.metrics
    )


def test_flips_are_a_sequence() -> None:
    flips = next(
        metric.flips
        for seed in range(40)
        for metric in compare(*random_reports(seed)).metrics
        if len(metric.flips) > 3
    )
    whole = tuple(flips)
    assert (flips[0], flips[-1], flips[1:3]) == (whole[0], whole[-1], whole[1:3])
    assert flips == whole
    assert flips != whole[1:]
    with pytest.raises(IndexError):
        flips[len(whole)]
