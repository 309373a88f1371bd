from tests.testing.for_each import for_each

from ragstone.text.stemmer import stem


@for_each(
    "one, other",
    [
        ("planned", "planning"),
        ("plans", "planned"),
        ("hoped", "hoping"),
        ("companies", "company"),
        ("studied", "studies"),
        ("boxes", "box"),
        ("organised", "organizes"),
        ("took", "taking"),
        ("children", "child"),
    ],
)
def test_forms_of_one_word_share_a_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@for_each("one, other", [("new", "news"), ("bus", "bu"), ("king", "kin"), ("not", "note")])
def test_different_words_keep_their_stems_apart(one: str, other: str) -> None:
    assert stem(one) != stem(other)
