from typing import Any

import pytest
from tests.testing.for_each import for_each

from ragstone.errors import BadOption
from ragstone.metrics import EditSimilarity


@for_each(
    "distance, score",
    [
        ("levenshtein", 1 - 3 / 7),
        ("hamming", 1 - 3 / 7),
        ("damerau_levenshtein", 1 - 3 / 7),
    ],
)
def test_similarity_of_kitten_and_sitting_by_each_distance(distance: Any, score: float) -> None:
    assert EditSimilarity(distance=distance).score("kitten", "sitting").value == pytest.approx(score)


def test_swapped_letters_score_higher_with_damerau_levenshtein() -> None:
    assert EditSimilarity().score("ab", "ba").value == 0.0
    assert EditSimilarity(distance="damerau_levenshtein").score("ab", "ba").value == 0.5
    assert 0.9 < EditSimilarity(distance="jaro_winkler").score("martha", "marhta").value < 1


def test_unknown_distance_is_refused() -> None:
    with pytest.raises(BadOption):
        EditSimilarity(distance="manhattan")  # type: ignore[arg-type]
