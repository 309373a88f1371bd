import pytest

from ragstone.metrics import Chrf


def test_chrf_scores_shared_characters() -> None:
    assert Chrf().score("東京は日本の首都です", "東京は日本の首都です").value == pytest.approx(1)
    assert 0 < Chrf().score("walking", "walked").value < 1
    assert Chrf().score("abc", "xyz").value == 0.0
