"""McNemar's test equals statsmodels and scipy."""

import pytest

from ragstone.stats.mcnemar import mcnemar_p_value


@pytest.mark.parametrize(("better", "worse"), [(0, 0), (0, 1), (3, 3), (2, 9), (40, 61), (500, 423)])
def test_equals_the_reference_libraries(better: int, worse: int) -> None:
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
