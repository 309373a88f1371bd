import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.judges.local.similarity import similarity


def test_equal_texts_are_fully_alike_and_paraphrases_more_than_strangers() -> None:
    text = "A man is playing a guitar."
    assert similarity(text, text) == pytest.approx(1)
    assert similarity(text, "Someone plays guitar.") > similarity(text, "The market fell on Friday.") + 0.3


@settings(deadline=None)
@given(st.text(max_size=80), st.text(max_size=80))
def test_likeness_is_symmetric_and_bounded(a: str, b: str) -> None:
    value = similarity(a, b)
    assert 0 <= value <= 1
    assert value == pytest.approx(similarity(b, a))
