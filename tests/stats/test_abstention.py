import pytest

from ragstone.stats import abstention_figures

TABLE = [
    # answerable, declined, right
    *[(True, False, True)] * 5,
    *[(True, False, False)] * 2,
    *[(True, True, None)] * 1,
    *[(False, True, None)] * 3,
    *[(False, False, None)] * 1,
]


def test_abstention_figures_of_a_worked_example() -> None:
    """Of twelve questions eight can be answered: five right, two wrong, one declined; three of the others declined."""
    found = abstention_figures(*zip(*TABLE, strict=True))
    assert found.n == 12
    assert found.coverage.value == pytest.approx(8 / 12)
    assert found.risk is not None
    assert found.risk.value == pytest.approx(3 / 8)
    assert found.carefulness is not None
    assert found.carefulness.value == pytest.approx(3 / 4)
    assert found.over_refusal is not None
    assert found.over_refusal.value == pytest.approx(1 / 8)
    assert found.alignment.value == pytest.approx(8 / 12)
    assert found.rightness_known
    assert found.risk.interval is not None
    assert 3 / 8 in found.risk.interval


def test_risk_and_carefulness_are_none_without_cases() -> None:
    found = abstention_figures([True, True], [True, True])
    assert found.risk is None
    assert found.carefulness is None
    assert found.coverage.value == 0


def test_answers_of_unknown_rightness_count_as_right() -> None:
    found = abstention_figures([True, True, False], [False, False, False], [True, None, None])
    assert found.risk is not None
    assert found.risk.value == pytest.approx(1 / 3)
    assert not found.rightness_known


def test_empty_and_unequal_columns_are_rejected() -> None:
    with pytest.raises(ValueError, match="no test case"):
        abstention_figures([], [])
    with pytest.raises(ValueError, match="one entry per case"):
        abstention_figures([True], [])
