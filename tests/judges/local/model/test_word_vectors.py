import numpy as np
import pytest

from ragstone.judges.local.model import word_vectors
from ragstone.judges.local.model.word_vectors import DIMENSIONS, vectors, word_vector, word_weights


def test_word_vector_has_unit_length_and_is_read_only() -> None:
    vector, weight = word_vector("government")
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)
    assert weight > 0
    with pytest.raises(ValueError, match="read-only"):
        vector[0] = 0


def test_similar_words_have_similar_vectors_and_function_words_weigh_less() -> None:
    cat, kitten, bridge = vectors(["cat", "kitten", "bridge"])
    assert cat @ kitten > cat @ bridge + 0.2
    the, government = word_weights(["the", "government"])
    assert government > 3 * the


def test_a_vector_depends_on_its_word_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["the", "government", "astrophysicists", "x" * 400, "", "1987", "kitten", "fortunately", "the"]
    monkeypatch.setattr(word_vectors, "_cache", {})
    together, weights = vectors(words), word_weights(words)
    for word, vector, weight in zip(words, together, weights, strict=True):
        monkeypatch.setattr(word_vectors, "_cache", {})
        alone, own = word_vector(word)
        assert np.array_equal(alone, vector)
        assert np.float32(own) == weight


def test_word_vector_cache_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_vectors, "_cache", {})
    monkeypatch.setattr(word_vectors, "_MAX_CACHED_WORDS", 3)
    words = ["one", "two", "three", "four", "five"]
    assert np.array_equal(vectors(words), np.stack([word_vector(word)[0] for word in words]))
    assert len(word_vectors._cache) <= 3


def test_empty_word_list_has_no_vectors() -> None:
    assert vectors([]).shape == (0, DIMENSIONS)
