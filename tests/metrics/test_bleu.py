import pytest

from ragstone.errors import BadOption
from ragstone.metrics import Bleu

GOOD = "The cat sat on the mat today. It slept there all day long."
HALF = "The cat sat on the mat today. Nothing here is right at all."


def test_equal_texts_are_one() -> None:
    assert Bleu().score(GOOD, GOOD).value == pytest.approx(1)


def test_every_sentence_counts() -> None:
    """A peer scores the first sentence alone, so a wrong second one costs nothing."""
    assert Bleu().score(HALF, GOOD).value < 0.7
    assert Bleu(compat="ragas").score(HALF, GOOD).value == pytest.approx(1)


def test_bleu_refuses_unknown_compat() -> None:
    with pytest.raises(BadOption):
        Bleu(compat="deepeval")  # type: ignore[arg-type]
