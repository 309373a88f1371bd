import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.metrics.shared.claims import f_beta

SHARE = st.floats(0, 1)


@given(SHARE, SHARE)
def test_f_beta_lies_between_precision_and_recall(precision: float, recall: float) -> None:
    assert min(precision, recall) - 1e-9 <= f_beta(precision, recall) <= max(precision, recall) + 1e-9


def test_beta_weighs_recall() -> None:
    assert f_beta(0.5, 1.0) == pytest.approx(2 / 3)
    assert f_beta(0.5, 1.0, beta=2) > f_beta(0.5, 1.0)
    assert f_beta(0.0, 0.0) == 0.0
