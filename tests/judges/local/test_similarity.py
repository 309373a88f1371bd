import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.judges.local.similarity import similarity


def test_similarity_of_paraphrases_exceeds_unrelated_texts() -> None:
    text = "A man is playing a guitar."
    assert similarity(text, text) == pytest.approx(1)
    assert similarity(text, "Someone plays guitar.") > similarity(text, "The market fell on Friday.") + 0.3


@settings(deadline=None)
@given(st.text(max_size=80), st.text(max_size=80))
def test_similarity_is_symmetric_and_bounded(a: str, b: str) -> None:
    value = similarity(a, b)
    assert 0 <= value <= 1
    assert value == pytest.approx(similarity(b, a))
