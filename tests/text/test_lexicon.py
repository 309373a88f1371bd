from tests.testing.for_each import for_each

from ragstone.text.lexicon import OPPOSITES, is_negation, opposites
from ragstone.text.stemmer import stem


@for_each("one, other", [("increase", "decrease"), ("before", "after"), ("legal", "illegal")])
def test_opposites_go_both_ways(one: str, other: str) -> None:
    assert stem(other) in opposites(stem(one))
    assert stem(one) in opposites(stem(other))


def test_no_word_is_its_own_opposite() -> None:
    assert not [word for word, others in OPPOSITES.items() if word in others]


@for_each("word", ["not", "never", "don't", "isn't", "nothing"])
def test_negations_are_known_also_where_they_are_contracted(word: str) -> None:
    assert is_negation(word)
    assert not is_negation("note")
