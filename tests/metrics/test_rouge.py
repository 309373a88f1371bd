import pytest
from tests.testing.for_each import for_each

from ragstone.errors import BadOption
from ragstone.metrics import Rouge


@for_each(
    "options, score",
    [
        ({"kind": "rouge1", "part": "precision"}, 2 / 3),
        ({"kind": "rouge1", "part": "recall"}, 2 / 4),
        ({"kind": "rouge1"}, 4 / 7),
        ({"kind": "rouge2"}, 0.0),
        ({}, 2 / 7),
    ],
)
def test_rouge_matches_hand_calculated_scores(options: dict, score: float) -> None:
    assert Rouge(**options).score("mat the dog", "the cat sat mat").value == pytest.approx(score)


def test_words_of_any_script_count() -> None:
    assert Rouge().score("Привет мир", "привет мир").value == pytest.approx(1)
    assert Rouge(stemmer=True).score("Привет мир", "привет мир").value == 0.0
    assert Rouge(stemmer=True).score("running dogs", "run dog").value == pytest.approx(1)


def test_unknown_rouge_kind_is_refused() -> None:
    with pytest.raises(BadOption):
        Rouge(kind="rouge9")  # type: ignore[arg-type]
